import { Option, type Command } from 'commander';
import { group, leaf, list, ORGANIZATION, RECORDING, withoutResult } from '../program-parts.js';

const LOGIN = () => import('./login.commands.js');
const TRANSCRIPT = () => import('./transcript.commands.js');

const FORMATS = ['vtt', 'srt', 'txt', 'md', 'json'];
const PERMISSIONS = ['view', 'download'];

/** What only makes sense on a server, as one of its users. */
export function addServer(cli: Command): void {
  leaf(
    cli,
    'login',
    'Log in to a server with an API key, which is asked for on a terminal and otherwise read from standard input, and checked. MRS_URL and MRS_API_KEY in the environment take precedence.',
  )
    .argument('[url]', 'URL of the server', 'http://localhost:3000')
    .action(async (url, options) => (await LOGIN()).login(url, options));
  leaf(cli, 'logout', 'Remove the API key of login from this computer.').action(async (options) =>
    (await LOGIN()).logout(options),
  );
  leaf(
    cli,
    'whoami',
    'Show which server is used, as which user, in which organizations, and what the API key may do. On a server.',
  ).action(async (options) => (await import('./whoami.command.js')).showWhoIAm(options));
  leaf(
    cli,
    'open',
    'Print the address at which a browser shows a recording, and on a terminal open it: the share page, if there is a link without a password, otherwise the video, whose address expires. On a server.',
  )
    .argument(...RECORDING)
    .action(async (id, options) => (await import('./open.command.js')).openRecording(id, options));
  leaf(
    cli,
    'ask',
    'Ask a question about what was said, and print the answer with the passages that support it. On a server.',
  )
    .argument('<question>', 'question, 1 to 1,000 characters')
    .option('--recording <id>', 'only about this recording (default: all)')
    .action(async (question, options) => (await import('./ask.command.js')).ask(question, options));
  leaf(cli, 'share', 'Create a share link to a recording and print it. On a server.')
    .argument(...RECORDING)
    .option('--expires-in <duration>', 'when the link expires, such as 7d, 12h or 30m (default: never)')
    .addOption(
      new Option('--permission <permission>', 'what recipients can do (default: view)').choices(PERMISSIONS),
    )
    .action(async (id, options) => (await import('./share.command.js')).share(id, options));
  list(
    group(cli, 'members', 'List members of organizations. On a server.'),
    'List the members of an organization.',
    'name or email address',
  )
    .argument(...ORGANIZATION)
    .action(async (id, options) => (await import('./lists.commands.js')).listMembers(id, options));
  addTranscripts(cli);
  addEvents(cli);
}

function addTranscripts(cli: Command): void {
  const transcript = group(cli, 'transcript', 'Read, export and import transcripts. On a server.');
  leaf(transcript, 'get', 'Print a transcript, a line for each segment with its time and speaker.')
    .argument(...RECORDING)
    .action(async (id, options) => (await TRANSCRIPT()).getTranscript(id, options));
  withoutResult(transcript, 'export', 'Export a transcript as captions, text or JSON.')
    .argument(...RECORDING)
    .addOption(new Option('--format <format>', 'format').choices(FORMATS).makeOptionMandatory())
    .option('--output <file>', 'file to create (default: standard output)')
    .action(async (id, options) => (await TRANSCRIPT()).exportTranscript(id, options));
  leaf(
    transcript,
    'put',
    'Replace a transcript with a file in any format of docs/transcripts.md, which is recognized by its content. The transcript before remains among the revisions.',
  )
    .argument(...RECORDING)
    .argument('<file>', 'captions, text, JSON or Word document')
    .option(
      '--language <language>',
      'language: code or English name (default: that of the file, or detected)',
    )
    .option('--lenient', 'skip invalid parts, and list them')
    .action(async (id, file, options) => (await TRANSCRIPT()).putTranscript(id, file, options));
}

function addEvents(cli: Command): void {
  const events = group(cli, 'events', 'Follow what happens. On a server.');
  filtered(
    leaf(
      events,
      'tail',
      'Print events as they happen, until Ctrl-C: a line for each on a terminal, otherwise and with --json a line of JSON.',
    ),
  ).action(async (options) => (await import('./events.commands.js')).tailEvents(options));
  const webhooks = group(cli, 'webhooks', 'Develop receivers of webhooks. On a server.');
  filtered(
    leaf(
      webhooks,
      'listen',
      'Send events to a URL that only this computer reaches, as they happen and until Ctrl-C, signed as those of webhooks are. Each is sent once; the server needs no webhook for it.',
    ).requiredOption('--forward <url>', 'where to send them'),
  )
    .addOption(
      new Option('--secret <secret>', 'secret to sign them with (default: a new one, which is printed)').env(
        'WEBHOOK_SECRET',
      ),
    )
    .action(async (options) => (await import('./webhooks.commands.js')).listenForWebhooks(options));
}

const filtered = (command: Command): Command =>
  command
    .option('--types <types>', 'only these types, with commas between, such as recording.*')
    .option('--recording <id>', 'only events of this recording');
