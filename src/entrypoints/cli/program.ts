import { Argument, InvalidArgumentError, Option } from 'commander';
import { projectVersion } from '../../lib/project-root.js';
import { JOB_STATES } from '../../platform/jobs/operator-jobs.queries.js';
import { PLANS, SUBSCRIPTION_STATUSES, USER_PLANS, type Plan } from '../../policy/plans.js';
import { CliCommand, describeOption, firstSentence, ORGANIZATION } from './cli-command.js';
import { AFTER } from './command-texts.js';
import { addKeys, addServiceAccounts } from './keys.program.js';
import { addRecordings } from './recordings.program.js';
import { lazily, onHost, onServerOrHost } from './server/choice.js';
import { addServer } from './server/server.program.js';

const JOBS = () => import('./commands/jobs.commands.js');
const USERS = () => import('./commands/users.commands.js');
const ORGANIZATIONS = () => import('./commands/organizations.commands.js');

const BACKUPS = '<folder|s3://bucket/prefix>';
const ONE_BACKUP = 'one backup, or where all are: the newest of them';
const IDENTITY = 'file with the age identity that an encrypted backup needs';

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

  cli.leaf('status').action(onHost(() => import('./status/status.commands.js'), 'showStatus'));
  cli
    .leaf('dev')
    .option('--set <NAME=VALUE...>', 'settings of the service (default: those of docs/configuration.md)')
    .option('--operator', 'let the API key also manage users and plans')
    .action(lazily(() => import('./commands/dev.command.js'), 'runDev'));
  addJobs(cli);
  cli
    .leaf('trace', ['<id>', 'id of the request (X-Request-Id), the recording or the user'])
    .option('--log <file...>', 'also read these files with lines of the log; - for standard input')
    .limited(1_000)
    .action(onHost(() => import('./commands/trace.commands.js'), 'traceId'));
  addUsers(cli);
  addOrganizations(cli);
  addServiceAccounts(cli);
  addKeys(cli);
  cli
    .leaf('import', ['<file>', 'workspace file (JSON); see docs/workspace-file.md'])
    .action(onHost(() => import('./commands/workspace.commands.js'), 'importWorkspace'));
  addRecordings(cli);
  addServer(cli);
  cli
    .add('mcp')
    .option('--url <url>', 'URL of the server (default: MRS_URL, or that of login)')
    .action(lazily(() => import('./server/mcp.command.js'), 'serveModels'));
  addDatabase(cli);
  cli
    .add('completion')
    .addArgument(new Argument('<shell>', 'shell').choices(['bash', 'zsh', 'fish']))
    .argument('[words...]', 'words typed so far: print what the last one can be, as the script asks')
    .action(lazily(() => import('./commands/completion.command.js'), 'complete'));
  return cli;
}

const plan = (plans: readonly Plan[], description: string): Option =>
  new Option('--plan <plan>', description).choices(plans).argParser((given) => {
    if (plans.some((one) => one === given)) return given;
    const ofOthers = PLANS.some((one) => one === given) ? `${given} is a plan of organizations. ` : '';
    throw new InvalidArgumentError(`${ofOthers}Allowed choices are ${plans.join(', ')}.`);
  });

function addJobs(cli: CliCommand): void {
  const [jobs, job] = [cli.add('jobs'), ['<id>', 'id of the job; see jobs list'] as const];
  const kind = ['--kind <kind>', 'only jobs of this kind, such as media.tidy'] as const;
  jobs
    .leaf('list')
    .option(...kind)
    .addOption(new Option('--state <state>', 'only jobs in this state').choices(JOB_STATES))
    .limited(50)
    .action(onHost(JOBS, 'listJobs'));
  jobs.leaf('show', job).action(onHost(JOBS, 'showJob'));
  jobs
    .leaf('retry', ['[id]', 'id of the job'])
    .option('--failed', 'all jobs that have used up their attempts')
    .option(...kind)
    .action(onHost(JOBS, 'retryJob'));
  jobs.destructive('drop', job).action(onHost(JOBS, 'dropJob'));
}

function addUsers(cli: CliCommand): void {
  const users = cli.add('users');
  users.list('name or email address').action(onHost(USERS, 'listUsers'));
  users
    .leaf('create')
    .requiredOption('--email <email>', 'email address')
    .requiredOption('--name <name>', 'display name')
    .addOption(plan(USER_PLANS, 'personal plan (default: DEFAULT_PLAN)'))
    .option('--external-id <id>', 'your own id of the user, with which the API takes ext:<id>')
    .action(onHost(USERS, 'createUser'));
  users
    .leaf('update')
    .ofUser('the user')
    .option('--name <name>', 'new display name')
    .option('--new-email <email>', 'new email address, or the present one to confirm that it is theirs')
    .addOption(plan(USER_PLANS, 'personal plan'))
    .option('--operator', 'allow them to manage all users and the plans of organizations through the API')
    .option('--no-operator', 'revoke that')
    .action(onHost(USERS, 'updateUser'));
  users.leaf('sign-in-link').ofUser('the person').action(onHost(USERS, 'printSignInLink'));
  users
    .destructive('delete')
    .ofUser('the user')
    .option(
      '--new-owner <user>',
      'verified email address or id of a member of all their organizations who takes over their recordings there (default: an OWNER of each)',
    )
    .action(onHost(USERS, 'deleteUser'));
  users
    .destructive('erase')
    .option('--email <email>', 'email address of the person, whether or not they are a user')
    .option('--id <id>', 'id of the user')
    .option(
      '--speaker-name <name...>',
      'how transcripts and action items name the person (default: the display name of the user)',
    )
    .action(onHost(() => import('./commands/erase.commands.js'), 'erasePerson'));
}

function addOrganizations(cli: CliCommand): void {
  const orgs = cli.add('orgs');
  orgs
    .list('name')
    .action(onServerOrHost(() => import('./server/lists.commands.js'), ORGANIZATIONS, 'listOrganizations'));
  orgs
    .leaf('create')
    .requiredOption('--name <name>', 'name')
    .requiredOption('--owner <user>', 'verified email address or id of the user who becomes its OWNER')
    .addOption(plan(PLANS, 'plan (default: DEFAULT_PLAN)'))
    .action(onHost(ORGANIZATIONS, 'createOrganization'));
  orgs
    .leaf('update', ORGANIZATION)
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
    .option('--sso-provider <name>', 'identity provider with which members have to sign in, or none')
    .option('--oauth-clients <ids>', 'client ids of the apps that reach it, with commas between, or any')
    .action(onHost(ORGANIZATIONS, 'updateOrganization'));
  orgs
    .destructive('delete', ORGANIZATION)
    .addOption(new Option('--recordings <what>', 'also delete its recordings').choices(['delete']))
    .action(onHost(ORGANIZATIONS, 'deleteOrganization'));
}

function addDatabase(cli: CliCommand): void {
  cli
    .add('config')
    .leaf('check')
    .action(lazily(() => import('./commands/config.commands.js'), 'checkConfig'));
  const database = cli.add('database');
  database.leaf('url').action(onHost(() => import('./commands/config.commands.js'), 'printDatabaseUrl'));
  database.leaf('migrate').action(onHost(() => import('./commands/config.commands.js'), 'migrateDatabase'));
  const backup = cli
    .leaf('backup', [
      BACKUPS,
      'where all backups are: a folder that has no other files, or a prefix in a bucket',
    ])
    .option(
      '--without-media',
      'leave out the media files; for a bucket that keeps what is deleted, or to move the database',
    )
    .option(
      '--encrypt-to <recipient...>',
      'encrypt all files to these age recipients (age1...), or to those in a file',
    )
    .option(
      '--keep <numbers>',
      'afterwards, keep only the newest backup of each of the last days, weeks and months, such as 7d,4w,12m',
    )
    .action(onHost(() => import('./backup/backup.commands.js'), 'backUp'));
  backup
    .leaf('verify', [BACKUPS, ONE_BACKUP])
    .option('--identity <file>', IDENTITY)
    .action(lazily(() => import('./backup/verify.commands.js'), 'verifyBackup'));
  cli
    .leaf('restore', [BACKUPS, ONE_BACKUP])
    .option('--identity <file>', IDENTITY)
    .action(onHost(() => import('./backup/restore.commands.js'), 'restore'));
  cli
    .destructive('rollback', ['<release>', 'the older release, such as 1.0.0', release])
    .action(onHost(() => import('./commands/rollback.command.js'), 'rollBack'));
  cli
    .add('audit')
    .leaf('verify')
    .option('--organization <id>', 'only this organization, or `none` for rows that belong to none')
    .option('--receipt <file>', 'also report whether a seal covers the erasure of which this is the receipt')
    .option('--expect <hash>', 'also report whether a seal has this hash, which an earlier run printed', hash)
    .action(onHost(() => import('./commands/audit.commands.js'), 'verifyAuditLog'));
}

function release(value: string): string {
  if (/^\d{1,4}(\.\d{1,4}){2}$/.test(value)) return value;
  throw new InvalidArgumentError('It must be the number of a release, such as 1.0.0.');
}

function hash(value: string): string {
  if (/^[0-9a-f]{64}$/i.test(value)) return value.toLowerCase();
  throw new InvalidArgumentError('It must have 64 hexadecimal digits.');
}
