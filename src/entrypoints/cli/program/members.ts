import { Option, type Command } from 'commander';
import { ROLES } from '../../../policy/roles.js';
import { MEMBER_FLAGS } from '../flags.js';
import { destructive, group, leaf, list, namesFrom, ofUser } from './command.js';
import { ORGANIZATION } from './organizations.js';

const commands = () => import('../members.commands.js');

export function addMembers(cli: Command): void {
  const members = group(cli, 'members', 'List, add, change and remove members of an organization.');
  list(members, 'List the members of an organization, by name.', 'name or email address')
    .argument(...ORGANIZATION)
    .action(async (id, options) => (await commands()).listMembers(id, options));
  flags(ofUser(leaf(members, 'add', 'Make an existing user a member.').argument(...ORGANIZATION), 'the user'))
    .addOption(role().makeOptionMandatory())
    .action(async (id, options) => (await commands()).addMember(id, options));
  flags(
    ofUser(
      leaf(members, 'update', 'Change a member, effective with their next request.').argument(
        ...ORGANIZATION,
      ),
      'the member',
    ),
  )
    .addOption(role())
    .action(async (id, options) => (await commands()).updateMember(id, options));
  ofUser(
    destructive(
      members,
      'remove',
      'Remove a member, who loses access at once. Their recordings stay with the organization and get another owner.',
    ).argument(...ORGANIZATION),
    'the member',
  )
    .option(
      '--new-owner <user>',
      'verified email address or id of the member who takes over their recordings (default: the longest-standing OWNER)',
    )
    .action(async (id, options) => (await commands()).removeMember(id, options));
}

const role = (): Option => new Option('--role <role>', 'role').choices(ROLES);

function flags(command: Command): Command {
  const names = namesFrom(MEMBER_FLAGS);
  return command
    .option('--enable <flags>', `feature flags to turn on: ${MEMBER_FLAGS.join(',')}`, names)
    .option('--disable <flags>', 'feature flags to turn off', names);
}
