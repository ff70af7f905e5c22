import { Option } from 'commander';
import { ORGANIZATION, RECORDING, type CliCommand } from '../cli-command.js';
import { lazily } from './choice.js';

const LOGIN = () => import('./login.commands.js');
const SHARE = () => import('./share.commands.js');
const TRANSCRIPT = () => import('./transcript.commands.js');

const FORMATS = ['vtt', 'srt', 'txt', 'md', 'json'];
const PERMISSIONS = ['view', 'download'];

/** What only makes sense on a server, as one of its users. */
export function addServer(cli: CliCommand): void {
  cli
    .leaf(
      'login',
      'Log in to a server with an API key, which is asked for on a terminal and otherwise read from standard input, and checked. MRS_URL and MRS_API_KEY in the environment take precedence.',
    )
    .argument('[url]', 'URL of the server', 'http://localhost:3000')
    .action(lazily(LOGIN, 'login'));
  cli.leaf('logout', 'Remove the API key of login from this computer.').action(lazily(LOGIN, 'logout'));
  cli
    .leaf(
      'whoami',
      'Show which server is used, as which user, in which organizations, and what the API key may do. On a server.',
    )
    .action(lazily(LOGIN, 'showWhoIAm'));
  cli
    .leaf(
      'open',
      'Print the address at which a browser shows a recording, and on a terminal open it: the share page, if there is a link without a password, otherwise the video, whose address expires. On a server.',
    )
    .argument(...RECORDING)
    .action(lazily(SHARE, 'openRecording'));
  cli
    .leaf(
      'ask',
      'Ask a question about what was said, and print the answer with the passages that support it. On a server.',
    )
    .argument('<question>', 'question, 1 to 1,000 characters')
    .option('--recording <id>', 'only about this recording (default: all)')
    .action(lazily(() => import('./ask.command.js'), 'ask'));
  cli
    .leaf('share', 'Create a share link to a recording and print it. On a server.')
    .argument(...RECORDING)
    .option('--expires-in <duration>', 'when the link expires, such as 7d, 12h or 30m (default: never)')
    .addOption(
      new Option('--permission <permission>', 'what recipients can do (default: view)').choices(PERMISSIONS),
    )
    .action(lazily(SHARE, 'share'));
  cli
    .add('members', 'List members of organizations. On a server.')
    .list('List the members of an organization.', 'name or email address')
    .argument(...ORGANIZATION)
    .action(lazily(() => import('./lists.commands.js'), 'listMembers'));
  addTranscripts(cli);
  addEvents(cli);
}

function addTranscripts(cli: CliCommand): void {
  const transcript = cli.add('transcript', 'Read, export and import transcripts. On a server.');
  transcript
    .leaf('get', 'Print a transcript, a line for each segment with its time and speaker.')
    .argument(...RECORDING)
    .action(lazily(TRANSCRIPT, 'getTranscript'));
  transcript
    .add('export', 'Export a transcript as captions, text or JSON.')
    .argument(...RECORDING)
    .addOption(new Option('--format <format>', 'format').choices(FORMATS).makeOptionMandatory())
    .option('--output <file>', 'file to create (default: standard output)')
    .action(lazily(TRANSCRIPT, 'exportTranscript'));
  transcript
    .leaf(
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
    .action(lazily(TRANSCRIPT, 'putTranscript'));
}

function addEvents(cli: CliCommand): void {
  const types = ['--types <types>', 'only these types, with commas between, such as recording.*'] as const;
  const recording = ['--recording <id>', 'only events of this recording'] as const;
  cli
    .add('events', 'Follow what happens. On a server.')
    .leaf(
      'tail',
      'Print events as they happen, until Ctrl-C: a line for each on a terminal, otherwise and with --json a line of JSON.',
    )
    .option(...types)
    .option(...recording)
    .action(lazily(() => import('./events.commands.js'), 'tailEvents'));
  cli
    .add('webhooks', 'Develop receivers of webhooks. On a server.')
    .leaf(
      'listen',
      'Send events to a URL that only this computer reaches, as they happen and until Ctrl-C, signed as those of webhooks are. Each is sent once; the server needs no webhook for it.',
    )
    .requiredOption('--forward <url>', 'where to send them')
    .option(...types)
    .option(...recording)
    .addOption(
      new Option('--secret <secret>', 'secret to sign them with (default: a new one, which is printed)').env(
        'WEBHOOK_SECRET',
      ),
    )
    .action(lazily(() => import('./webhooks.commands.js'), 'listenForWebhooks'));
}
