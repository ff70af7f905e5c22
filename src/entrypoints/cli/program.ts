import { Command, Option } from 'commander';
import { USER_PLANS } from '../../policy/plans.js';

const EXAMPLES = `
Examples:
  $ npm run -s cli -- users create --email ada@acme.test --name Ada --plan PRO
  $ npm run -s cli -- keys create --email ada@acme.test --name laptop
  $ npm run -s cli -- import workspace.json
  $ npm run -s cli -- recordings upload meeting.mp4 --email ada@acme.test --watch
  $ npm run -s cli -- storage migrate --from disk --to s3
  $ psql "$(npm run -s cli -- database url)"

The commands work on the database and data folder of the service (DATABASE_URL, DATA_DIR), whether it runs or not.
Results go to standard output, everything else to standard error; the exit status is 0 when all went well.
With --json a command prints its result as one line of JSON.`;

/** The command line: `npm run -s cli -- COMMAND`. */
export function program(): Command {
  const cli = new Command('cli')
    .description('Users, keys, recordings, workspaces, files and database of the Meeting Recording Service.')
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('(add --help for how to use it)')
    .exitOverride();

  const users = group(cli, 'users', 'Create and delete users.');
  leaf(users, 'create', 'Create a user and print the id.')
    .requiredOption('--email <email>', 'e-mail address, one per user')
    .requiredOption('--name <name>', 'display name')
    .addOption(new Option('--plan <plan>', 'personal plan').choices(USER_PLANS).default('FREE'))
    .action(async (options) => (await import('./users.commands.js')).createUser(options));
  leaf(
    users,
    'delete',
    'Delete a user with their personal recordings and share links. Recordings of organizations stay; so do the keys, which then answer USER_NOT_FOUND.',
  )
    .requiredOption('--email <email>', 'e-mail address of the user')
    .action(async (options) => (await import('./users.commands.js')).deleteUser(options));

  const keys = group(cli, 'keys', 'Create API keys.');
  leaf(keys, 'create', 'Create an API key for a user and print it, this once: only its hash is stored.')
    .requiredOption('--email <email>', 'e-mail address of the user')
    .requiredOption('--name <name>', 'display name of the key, 1 to 100 characters')
    .option('--expires-at <time>', 'ISO 8601 time at which the key stops working (default: never)')
    .action(async (options) => (await import('./keys.commands.js')).createKey(options));

  leaf(
    cli,
    'import',
    'Load a workspace file: users, organizations, recordings with media, transcripts and summaries. All or nothing; what is there already is left as it is, so running it twice changes nothing.',
  )
    .argument('<file>', 'workspace file (JSON); see docs/workspace-file.md')
    .action(async (file, options) =>
      (await import('./workspace.commands.js')).importWorkspace(file, options),
    );

  const recordings = group(cli, 'recordings', 'Upload recordings, and try again what failed.');
  leaf(recordings, 'upload', 'Upload a file as a new recording and print its id. A worker packages it.')
    .argument('<file>', 'audio or video file')
    .requiredOption('--email <email>', 'e-mail address of the owner')
    .option('--title <title>', 'title (default: the name of the file)')
    .option('--organization <id>', 'organization to record for')
    .option('--folder <id>', 'folder of that organization')
    .option('--watch', WATCH)
    .action(async (file, options) => (await recordingCommands()).uploadRecording(file, options));
  leaf(recordings, 'retry', 'Try once more to package a recording in ERROR, or to move one in MIGRATING.')
    .argument('<id>', 'id of the recording')
    .option('--watch', WATCH)
    .action(async (id, options) => (await recordingCommands()).retryRecording(id, options));

  const storage = group(cli, 'storage', 'Move files between disk and S3.');
  leaf(
    storage,
    'migrate',
    'Copy every file from one store to the other and verify each by its SHA-256. What is there already is skipped, so it may be stopped and run again. Needs no database.',
  )
    .addOption(store('--from <store>', 'where the files are').makeOptionMandatory())
    .addOption(store('--to <store>', 'where they are to be').makeOptionMandatory())
    .option('--delete-source', 'remove each file from where it was, once it was verified')
    .action(async (options) => (await import('./storage.commands.js')).migrateStorage(options));

  const database = group(cli, 'database', 'Show which database is in use.');
  leaf(
    database,
    'url',
    'Print the address of the database in use, with its password: DATABASE_URL, or that of the embedded PostgreSQL while the service runs.',
  ).action(async (options) => (await import('./database.commands.js')).printDatabaseUrl(options));
  return cli;
}

const WATCH = 'show progress until the recording is complete; fails when it cannot be';

/** Loaded only when a command really runs, with the service: help and typing mistakes are answered at once. */
const recordingCommands = () => import('./recordings.commands.js');

/** DATA_DIR, or the bucket of the S3_* settings. */
function store(flags: string, description: string): Option {
  return new Option(flags, description).choices(['disk', 's3']);
}

function group(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).exitOverride();
}

function leaf(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option('--json', 'print the result as JSON')
    .exitOverride();
}
