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

The commands use the database and data folder of the service (DATABASE_URL, DATA_DIR), whether it is running or not.
Results go to standard output, everything else to standard error; the exit status is 0 on success.
With --json a command prints its result as one line of JSON.`;

/** The command line: `npm run -s cli -- COMMAND`. */
export function program(): Command {
  const cli = new Command('cli')
    .description(
      'Manage users, keys, recordings, workspaces, files and the database of the Meeting Recording Service.',
    )
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('(use --help for usage)')
    .exitOverride();

  const users = group(cli, 'users', 'Create and delete users.');
  leaf(users, 'create', 'Create a user and print their id.')
    .requiredOption('--email <email>', 'email address, unique per user')
    .requiredOption('--name <name>', 'display name')
    .addOption(new Option('--plan <plan>', 'personal plan').choices(USER_PLANS).default('FREE'))
    .action(async (options) => (await import('./users.commands.js')).createUser(options));
  leaf(
    users,
    'delete',
    'Delete a user with their personal recordings and share links. Recordings of organizations are kept; so are the keys, which are then refused with USER_NOT_FOUND.',
  )
    .requiredOption('--email <email>', 'email address of the user')
    .action(async (options) => (await import('./users.commands.js')).deleteUser(options));

  const keys = group(cli, 'keys', 'Create, list and revoke API keys; rotate the secrets of the service.');
  leaf(
    keys,
    'create',
    'Create an API key for a user and print it. It cannot be shown again: only its hash is stored.',
  )
    .requiredOption('--email <email>', 'email address of the user')
    .requiredOption('--name <name>', 'display name of the key, 1 to 100 characters')
    .option('--expires-at <time>', 'ISO 8601 date or date-time at which the key expires (default: never)')
    .action(async (options) => (await import('./keys.commands.js')).createKey(options));
  leaf(keys, 'list', 'List the API keys of a user, newest first, without the keys themselves.')
    .requiredOption('--email <email>', 'email address of the user')
    .action(async (options) => (await import('./keys.commands.js')).listKeys(options));
  leaf(keys, 'revoke', 'Revoke an API key of any user, permanently. It is refused from the next request on.')
    .argument('<key>', 'id of the key, or its first 12 characters as in the log')
    .action(async (key, options) => (await import('./keys.commands.js')).revokeKey(key, options));
  leaf(
    keys,
    'rotate-secrets',
    'Replace the generated keys that sign URLs and encrypt the tokens of share links, and encrypt all tokens with the current key; share links keep working, and so do URLs until they expire. Keys in settings are yours to replace: the command says how. The service may be running. Can be interrupted and run again.',
  )
    .option(
      '--discard-previous',
      'after a leak: previous keys end now; media URLs handed out before stop working, and recipients of links with a password enter it again',
    )
    .option(
      '--sealing-key-lost',
      'rotate nothing, but give up the tokens encrypted with a sealing key that is lost, so that the service starts again; their links work, but their addresses cannot be shown again',
    )
    .action(async (options) => (await import('./secrets.commands.js')).rotateSecretsCommand(options));

  leaf(
    cli,
    'import',
    'Import a workspace file: users, organizations, recordings with media, transcripts and summaries. All or nothing; existing entries are left unchanged, so running it twice changes nothing.',
  )
    .argument('<file>', 'workspace file (JSON); see docs/workspace-file.md')
    .action(async (file, options) =>
      (await import('./workspace.commands.js')).importWorkspace(file, options),
    );

  const recordings = group(
    cli,
    'recordings',
    'Upload recordings, retry failed ones, and start transcriptions.',
  );
  leaf(recordings, 'upload', 'Upload a file as a new recording and print its id. A worker packages it.')
    .argument('<file>', 'audio or video file')
    .requiredOption('--email <email>', 'email address of the owner')
    .option('--title <title>', 'title (default: the file name without extension)')
    .option('--organization <id>', 'organization to record for')
    .option('--folder <id>', 'folder of that organization')
    .option('--transcribe', 'transcribe it once it has been packaged (default: AUTO_TRANSCRIBE)')
    .option('--no-transcribe', 'do not transcribe it')
    .option('--language <code>', 'spoken language (default: SPEECH_LANGUAGE)')
    .option('--watch', WATCH)
    .action(async (file, options) => (await recordingCommands()).uploadRecording(file, options));
  leaf(recordings, 'retry', 'Retry packaging a recording in ERROR, or moving one in MIGRATING.')
    .argument('<id>', 'id of the recording')
    .option('--watch', WATCH)
    .action(async (id, options) => (await recordingCommands()).retryRecording(id, options));

  leaf(
    recordings,
    'transcribe',
    'Start a transcription of one playable recording, the first one or a new one; with --missing, of all that have no transcript, as far as the plans and feature flags of their owners allow.',
  )
    .argument('[id]', 'id of the recording')
    .option('--missing', 'all playable recordings without a transcript; uploads go first')
    .option(
      '--language <code>',
      'spoken language; with --missing, of recordings for which none was given (default: SPEECH_LANGUAGE)',
    )
    .action(async (id, options) =>
      (await import('./transcribe.commands.js')).transcribeRecordings(id, options),
    );

  const storage = group(cli, 'storage', 'Move files between disk and S3.');
  leaf(
    storage,
    'migrate',
    'Copy all files from one store to the other and verify each by its SHA-256. Files already copied are skipped, so it can be interrupted and run again. Needs no database.',
  )
    .addOption(store('--from <store>', 'where the files are').makeOptionMandatory())
    .addOption(store('--to <store>', 'where to copy them').makeOptionMandatory())
    .option('--delete-source', 'remove each file from the source once its copy is verified')
    .action(async (options) => (await import('./storage.commands.js')).migrateStorage(options));

  const database = group(cli, 'database', 'Show which database is in use.');
  leaf(
    database,
    'url',
    'Print the URL of the database in use, including its password: DATABASE_URL, or that of the embedded PostgreSQL while the service is running.',
  ).action(async (options) => (await import('./database.commands.js')).printDatabaseUrl(options));
  return cli;
}

const WATCH =
  'show progress until the recording is complete, and until its transcription and summary have ended if they are in progress; fail if it ends in ERROR or no worker is running';

/** Loaded on demand, together with the service, so that help and usage errors are instant. */
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
