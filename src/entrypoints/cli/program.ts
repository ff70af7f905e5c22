import { Argument, InvalidArgumentError, Option } from 'commander';
import { projectVersion } from '../../lib/project-root.js';
import { PLANS, SUBSCRIPTION_STATUSES, USER_PLANS, type Plan } from '../../policy/plans.js';
import { CliCommand, describeOption, firstSentence, ORGANIZATION } from './cli-command.js';
import { addKeys, addServiceAccounts } from './keys.program.js';
import { AFTER } from './program-help.js';
import { addRecordings } from './recordings.program.js';
import { lazily, onHost, onServerOrHost } from './server/choice.js';
import { addServer } from './server/server.program.js';

const LISTS = () => import('./commands/lists.commands.js');
const USERS = () => import('./commands/users.commands.js');
const ORGANIZATIONS = () => import('./commands/organizations.commands.js');

export function program(): CliCommand {
  const cli = new CliCommand('mrs')
    .description(
      'Show how the Meeting Recording Service is doing, and manage its users, organizations, keys, recordings, workspaces and database.',
    )
    .version(projectVersion(), '--version', 'print the version')
    .option('--quiet', 'print only results, questions and errors')
    .option('--host', 'use the data of this host, also after login to a server')
    .addHelpText('after', AFTER)
    .configureHelp({
      optionDescription: describeOption,
      subcommandDescription: firstSentence,
      showGlobalOptions: true,
    })
    .showHelpAfterError('(use --help for usage)')
    .exitOverride();

  cli
    .leaf(
      'status',
      'Show what runs, where, in which versions, how full the disk is, what waits in the queue, and what is wrong; exit status 1 if anything is wrong. Works even when the service is not running.',
    )
    .action(onHost(() => import('./commands/status.command.js'), 'showStatus'));
  addUsers(cli);
  addOrganizations(cli);
  addServiceAccounts(cli);
  addKeys(cli);
  cli
    .leaf(
      'import',
      'Import a workspace file: users, organizations, recordings with media, transcripts and summaries. All or nothing. What differs from existing entries is listed and left as it is; running it twice changes nothing. If there is no database yet, it is created, and standard error says where.',
    )
    .argument('<file>', 'workspace file (JSON); see docs/workspace-file.md')
    .action(onHost(() => import('./commands/workspace.commands.js'), 'importWorkspace'));
  addRecordings(cli);
  addServer(cli);
  cli
    .add(
      'mcp',
      'Serve language models over standard input and output (Model Context Protocol), with the recordings of a server, as the user of login, or of MRS_URL and MRS_API_KEY. For programs that start their servers themselves; others use /mcp of the service.',
    )
    .option('--url <url>', 'URL of the server (default: MRS_URL, or that of login)')
    .action(lazily(() => import('./commands/mcp.command.js'), 'serveModels'));
  addDatabase(cli);
  cli
    .add(
      'completion',
      'Print a script with which a shell completes commands, options and their values. Its first line says where it belongs.',
    )
    .addArgument(new Argument('<shell>', 'shell').choices(['bash', 'zsh', 'fish']))
    .action(lazily(() => import('./completion/completion.command.js'), 'printCompletion'));
  return cli;
}

const plan = (plans: readonly Plan[], description: string): Option =>
  new Option('--plan <plan>', description).choices(plans).argParser((given) => {
    if (plans.some((one) => one === given)) return given;
    const ofOthers = PLANS.some((one) => one === given) ? `${given} is a plan of organizations. ` : '';
    throw new InvalidArgumentError(`${ofOthers}Allowed choices are ${plans.join(', ')}.`);
  });

function addUsers(cli: CliCommand): void {
  const users = cli.add('users', 'List, create, change and delete users.');
  users.list('List all users, newest first.', 'name or email address').action(onHost(LISTS, 'listUsers'));
  users
    .leaf(
      'create',
      'Create a user and print their id. If there is no database yet, it is created, and standard error says where.',
    )
    .requiredOption('--email <email>', 'email address')
    .requiredOption('--name <name>', 'display name')
    .addOption(plan(USER_PLANS, 'personal plan (default: DEFAULT_PLAN)'))
    .action(onHost(USERS, 'createUser'));
  users
    .leaf('update', 'Change a user, effective with their next request.')
    .ofUser('the user')
    .option('--name <name>', 'new display name')
    .option('--new-email <email>', 'new email address, or the present one to confirm that it is theirs')
    .addOption(plan(USER_PLANS, 'personal plan'))
    .option('--operator', 'allow them to manage all users and the plans of organizations through the API')
    .option('--no-operator', 'revoke that')
    .action(onHost(USERS, 'updateUser'));
  users
    .destructive(
      'delete',
      'Delete a user with their personal recordings and share links. Recordings of organizations are kept and get another owner. API keys are kept, but rejected with USER_NOT_FOUND.',
    )
    .ofUser('the user')
    .option(
      '--new-owner <user>',
      'verified email address or id of a member of all their organizations who takes over their recordings there (default: an OWNER of each)',
    )
    .action(onHost(() => import('./commands/user-deletion.command.js'), 'deleteUser'));
}

function addOrganizations(cli: CliCommand): void {
  const orgs = cli.add('orgs', 'List, create, change and delete organizations.');
  orgs
    .list('List organizations, by name: on a server those of the user, on the host all.', 'name')
    .action(onServerOrHost(() => import('./server/lists.commands.js'), LISTS, 'listOrganizations'));
  orgs
    .leaf('create', 'Create an organization and print its id.')
    .requiredOption('--name <name>', 'name')
    .requiredOption('--owner <user>', 'verified email address or id of the user who becomes its OWNER')
    .addOption(plan(PLANS, 'plan (default: DEFAULT_PLAN)'))
    .action(onHost(ORGANIZATIONS, 'createOrganization'));
  orgs
    .leaf('update', 'Change an organization, effective with the next request of its members.')
    .argument(...ORGANIZATION)
    .option('--name <name>', 'new name')
    .addOption(plan(PLANS, 'plan'))
    .addOption(
      new Option('--subscription <status>', 'status of the subscription').choices(SUBSCRIPTION_STATUSES),
    )
    .option('--subscription-ends-at <time>', 'ISO 8601 date or date-time at which it ends, or never')
    .option(
      '--api-key-max-days <days>',
      'in how many days after their creation API keys must expire to be accepted, or none',
    )
    .action(onHost(ORGANIZATIONS, 'updateOrganization'));
  orgs
    .destructive(
      'delete',
      'Delete an organization with its memberships and folders. Refused while it has recordings, unless --recordings delete is used.',
    )
    .argument(...ORGANIZATION)
    .addOption(new Option('--recordings <what>', 'also delete its recordings').choices(['delete']))
    .action(onHost(ORGANIZATIONS, 'deleteOrganization'));
}

/** What the host does with its database. */
function addDatabase(cli: CliCommand): void {
  cli
    .add('database', 'Show which database is in use.')
    .leaf(
      'url',
      'Print the URL of the database in use, including its password: DATABASE_URL, or that of the embedded PostgreSQL while the service is running.',
    )
    .action(onHost(() => import('./commands/database.commands.js'), 'printDatabaseUrl'));
  const backup = cli
    .leaf(
      'backup',
      'Copy the database, the media files and the keys into a new folder, while the service is running. Anyone who can read the folder can read everything.',
    )
    .argument('<folder>', 'a folder that is empty, or that does not exist')
    .option(
      '--without-media',
      'leave out the media files; for a bucket that keeps what is deleted, or to move the database',
    )
    .action(onHost(() => import('./backup/backup.commands.js'), 'backUp'));
  backup
    .leaf(
      'verify',
      'Read a backup to its end, and list what is missing in it or not as it was, without a target: exit status 1 if anything is.',
    )
    .argument('<folder>', 'the folder of the backup')
    .action(lazily(() => import('./backup/verify.commands.js'), 'verifyBackup'));
  cli
    .leaf(
      'restore',
      'Restore what `backup` has written into an empty DATA_DIR, or an empty database and bucket, and check that it is complete. Before the service starts; can be interrupted and run again.',
    )
    .argument('<folder>', 'the folder of the backup')
    .action(onHost(() => import('./backup/restore.commands.js'), 'restore'));
  cli
    .add('audit', 'Check the audit log.')
    .leaf(
      'verify',
      'Recompute the seals of the audit log. Reports rows that were changed, removed or inserted, and seals that were. Reads everything, and changes nothing.',
    )
    .option('--organization <id>', 'only this organization, or `none` for rows that belong to none')
    .option('--expect <hash>', 'also report whether a seal has this hash, which an earlier run printed', hash)
    .action(onHost(() => import('./commands/audit.commands.js'), 'verifyAuditLog'));
}

function hash(value: string): string {
  if (/^[0-9a-f]{64}$/i.test(value)) return value.toLowerCase();
  throw new InvalidArgumentError('It must have 64 hexadecimal digits.');
}
