import type { Command } from 'commander';
import { destructive, userList, group, leaf, list } from './command.js';
import { ORGANIZATION } from './organizations.js';

const commands = () => import('../folders.commands.js');

const FOLDER = ['<folder>', 'id of the folder; see folders list'] as const;

const RESTRICTED_TO = [
  '--restricted-to <users>',
  'verified email addresses or ids of the members who may see it, or none; OWNER and ADMIN always may',
  userList,
] as const;

export function addFolders(cli: Command): void {
  const folders = group(cli, 'folders', 'List, create, change and delete folders of an organization.');
  list(folders, 'List the folders of an organization, by name.', 'name')
    .argument(...ORGANIZATION)
    .option('--all', 'include inactive folders')
    .action(async (id, options) => (await commands()).listFolders(id, options));
  leaf(folders, 'create', 'Create a folder and print its id.')
    .argument(...ORGANIZATION)
    .requiredOption('--name <name>', 'name, unique in the organization')
    .option(...RESTRICTED_TO)
    .action(async (id, options) => (await commands()).createFolder(id, options));
  leaf(folders, 'update', 'Change a folder, effective with the next request.')
    .argument(...ORGANIZATION)
    .argument(...FOLDER)
    .option('--name <name>', 'new name')
    .option(...RESTRICTED_TO)
    .option('--unrestricted', 'open it to all members')
    .option('--active', 'reactivate it')
    .option('--no-active', 'deactivate it; its recordings are treated as being in no folder')
    .action(async (id, folder, options) => (await commands()).updateFolder(id, folder, options));
  destructive(folders, 'delete', 'Delete a folder. Its recordings are kept, but are no longer in a folder.')
    .argument(...ORGANIZATION)
    .argument(...FOLDER)
    .action(async (id, folder, options) => (await commands()).deleteFolder(id, folder, options));
}
