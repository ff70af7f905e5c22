import { Option, type Command } from 'commander';
import { USER_PLANS } from '../../../policy/plans.js';
import { destructive, group, leaf, list, ofUser } from './command.js';

/** Loaded on demand, together with the service, so that help and usage errors are instant. */
const commands = () => import('../users.commands.js');

const plan = (description: string): Option => new Option('--plan <plan>', description).choices(USER_PLANS);

export function addUsers(cli: Command): void {
  const users = group(cli, 'users', 'List, create, change and delete users.');
  list(users, 'List all users, newest first.', 'name or email address').action(async (options) =>
    (await commands()).listUsers(options),
  );
  leaf(users, 'create', 'Create a user and print their id.')
    .requiredOption('--email <email>', 'email address')
    .requiredOption('--name <name>', 'display name')
    .addOption(plan('personal plan (default: DEFAULT_PLAN)'))
    .action(async (options) => (await commands()).createUser(options));
  ofUser(leaf(users, 'update', 'Change a user, effective with their next request.'), 'the user')
    .option('--name <name>', 'new display name')
    .option('--new-email <email>', 'new email address, or the present one to confirm that it is theirs')
    .addOption(plan('personal plan'))
    .option('--operator', 'allow them to manage all users and the plans of organizations through the API')
    .option('--no-operator', 'revoke that')
    .action(async (options) => (await commands()).updateUser(options));
  ofUser(
    destructive(
      users,
      'delete',
      'Delete a user with their personal recordings and share links. Recordings of organizations are kept and get another owner. API keys are kept, but rejected with USER_NOT_FOUND.',
    ),
    'the user',
  )
    .option(
      '--new-owner <user>',
      'verified email address or id of a member of all their organizations who takes over their recordings there (default: an OWNER of each)',
    )
    .action(async (options) => (await commands()).deleteUser(options));
}
