import { Command, InvalidArgumentError, Option } from 'commander';
import { projectVersion } from '../../lib/project-root.js';
import { PLANS, SUBSCRIPTION_STATUSES, USER_PLANS, type Plan } from '../../policy/plans.js';
import { addCompletion } from './completion/completion.program.js';
import { addKeys } from './keys.program.js';
import { addMcp } from './mcp.program.js';
import { addServiceAccounts } from './services.program.js';
import { addBackups } from './backup/backup.program.js';
import {
  describeOption,
  destructive,
  firstSentence,
  group,
  leaf,
  list,
  ofUser,
  ORGANIZATION,
} from './program-parts.js';
import { AFTER } from './program-help.js';
import { addRecordings } from './recordings.program.js';
import { onHost, onServerOrHost } from './server/choice.js';
import { addServer } from './server/server.program.js';

/** The command line: `npx mrs COMMAND`. */
export function program(): Command {
  const cli = new Command('mrs')
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

  leaf(
    cli,
    'status',
    'Show what runs, where, in which versions, how full the disk is, what waits in the queue, and what is wrong; exit status 1 if anything is wrong. Works even when the service is not running.',
  ).action(onHost(async () => (await import('./commands/status.command.js')).showStatus));
  addUsers(cli);
  addOrganizations(cli);
  addServiceAccounts(cli);
  addKeys(cli);
  leaf(
    cli,
    'import',
    'Import a workspace file: users, organizations, recordings with media, transcripts and summaries. All or nothing. What differs from existing entries is listed and left as it is; running it twice changes nothing. If there is no database yet, it is created, and standard error says where.',
  )
    .argument('<file>', 'workspace file (JSON); see docs/workspace-file.md')
    .action(onHost(async () => (await import('./commands/workspace.commands.js')).importWorkspace));
  addRecordings(cli);
  addServer(cli);
  addMcp(cli);
  addDatabase(cli);
  addBackups(cli);
  addAudit(cli);
  addCompletion(cli);
  return cli;
}

/** Loaded on demand, together with the service, so that help and usage errors are instant. */
const LISTS = () => import('./commands/lists.commands.js');
const USERS = () => import('./commands/users.commands.js');
const ORGANIZATIONS = () => import('./commands/organizations.commands.js');

const plan = (plans: readonly Plan[], description: string): Option =>
  new Option('--plan <plan>', description).choices(plans).argParser((given) => {
    if (plans.some((one) => one === given)) return given;
    const ofOthers = PLANS.some((one) => one === given) ? `${given} is a plan of organizations. ` : '';
    throw new InvalidArgumentError(`${ofOthers}Allowed choices are ${plans.join(', ')}.`);
  });

function addUsers(cli: Command): void {
  const users = group(cli, 'users', 'List, create, change and delete users.');
  list(users, 'List all users, newest first.', 'name or email address').action(
    onHost(async () => (await LISTS()).listUsers),
  );
  leaf(
    users,
    'create',
    'Create a user and print their id. If there is no database yet, it is created, and standard error says where.',
  )
    .requiredOption('--email <email>', 'email address')
    .requiredOption('--name <name>', 'display name')
    .addOption(plan(USER_PLANS, 'personal plan (default: DEFAULT_PLAN)'))
    .action(onHost(async () => (await USERS()).createUser));
  ofUser(leaf(users, 'update', 'Change a user, effective with their next request.'), 'the user')
    .option('--name <name>', 'new display name')
    .option('--new-email <email>', 'new email address, or the present one to confirm that it is theirs')
    .addOption(plan(USER_PLANS, 'personal plan'))
    .option('--operator', 'allow them to manage all users and the plans of organizations through the API')
    .option('--no-operator', 'revoke that')
    .action(onHost(async () => (await USERS()).updateUser));
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
    .action(onHost(async () => (await import('./commands/user-deletion.command.js')).deleteUser));
}

function addOrganizations(cli: Command): void {
  const orgs = group(cli, 'orgs', 'List, create, change and delete organizations.');
  list(orgs, 'List organizations, by name: on a server those of the user, on the host all.', 'name').action(
    onServerOrHost({
      server: async () => (await import('./server/lists.commands.js')).listOrganizations,
      host: async () => (await LISTS()).listOrganizations,
    }),
  );
  leaf(orgs, 'create', 'Create an organization and print its id.')
    .requiredOption('--name <name>', 'name')
    .requiredOption('--owner <user>', 'verified email address or id of the user who becomes its OWNER')
    .addOption(plan(PLANS, 'plan (default: DEFAULT_PLAN)'))
    .action(onHost(async () => (await ORGANIZATIONS()).createOrganization));
  leaf(orgs, 'update', 'Change an organization, effective with the next request of its members.')
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
    .action(onHost(async () => (await ORGANIZATIONS()).updateOrganization));
  destructive(
    orgs,
    'delete',
    'Delete an organization with its memberships and folders. Refused while it has recordings, unless --recordings delete is used.',
  )
    .argument(...ORGANIZATION)
    .addOption(new Option('--recordings <what>', 'also delete its recordings').choices(['delete']))
    .action(onHost(async () => (await ORGANIZATIONS()).deleteOrganization));
}

function addDatabase(cli: Command): void {
  const database = group(cli, 'database', 'Show which database is in use.');
  leaf(
    database,
    'url',
    'Print the URL of the database in use, including its password: DATABASE_URL, or that of the embedded PostgreSQL while the service is running.',
  ).action(onHost(async () => (await import('./commands/database.commands.js')).printDatabaseUrl));
}

function addAudit(cli: Command): void {
  const audit = group(cli, 'audit', 'Check the audit log.');
  leaf(
    audit,
    'verify',
    'Recompute the seals of the audit log. Reports rows that were changed, removed or inserted, and seals that were. Reads everything, and changes nothing.',
  )
    .option('--organization <id>', 'only this organization, or `none` for rows that belong to none')
    .option('--expect <hash>', 'also report whether a seal has this hash, which an earlier run printed', hash)
    .action(onHost(async () => (await import('./commands/audit.commands.js')).verifyAuditLog));
}

function hash(value: string): string {
  if (/^[0-9a-f]{64}$/i.test(value)) return value.toLowerCase();
  throw new InvalidArgumentError('It must have 64 hexadecimal digits.');
}
