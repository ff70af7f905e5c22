import { Option } from 'commander';
import { identifier, ORGANIZATION, RECORDING, type CliCommand } from '../cli-command.js';
import { lazily } from './choice.js';
import { LIMITS } from '../../../contract/limits.js';
import { rangeText } from '../../../lib/amounts.js';

const LOGIN = () => import('./login.commands.js');
const SHARE = () => import('./share.commands.js');
const TRANSCRIPT = () => import('./transcript.commands.js');

const FORMATS = ['vtt', 'srt', 'txt', 'md', 'json'];
const PERMISSIONS = ['view', 'download'];

/** What only makes sense on a server, as one of its users. */
export function addServer(cli: CliCommand): void {
  cli
    .leaf('login')
    .argument('[url]', 'URL of the server', 'http://localhost:3000')
    .option('--with-key', 'ask for an API key, not for approval in a browser')
    .action(lazily(LOGIN, 'login'));
  cli.leaf('logout').action(lazily(LOGIN, 'logout'));
  cli.leaf('whoami').action(lazily(LOGIN, 'showWhoIAm'));
  cli.leaf('open', RECORDING).action(lazily(SHARE, 'openRecording'));
  cli
    .leaf('ask', ['<question>', `question, ${rangeText(LIMITS.question)} characters`])
    .option('--recording <id>', 'only about this recording (default: all)')
    .action(lazily(() => import('./ask.command.js'), 'ask'));
  cli
    .leaf('share', RECORDING)
    .option('--expires-in <duration>', 'when the link expires, such as 7d, 12h or 30m (default: never)')
    .addOption(
      new Option('--permission <permission>', 'what recipients can do (default: view)').choices(PERMISSIONS),
    )
    .action(lazily(SHARE, 'share'));
  cli
    .add('members')
    .list('name or email address')
    .argument(...ORGANIZATION)
    .action(lazily(() => import('./lists.commands.js'), 'listMembers'));
  addTranscripts(cli);
  addEvents(cli);
}

function addTranscripts(cli: CliCommand): void {
  const transcript = cli.add('transcript');
  transcript.leaf('get', RECORDING).action(lazily(TRANSCRIPT, 'getTranscript'));
  transcript
    .add('export', RECORDING)
    .addOption(new Option('--format <format>', 'format').choices(FORMATS).makeOptionMandatory())
    .option('--output <file>', 'file to create (default: standard output)')
    .action(lazily(TRANSCRIPT, 'exportTranscript'));
  transcript
    .leaf('put', RECORDING, ['<file>', 'captions, text, JSON or Word document'])
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
    .add('events')
    .leaf('tail')
    .option(...types)
    .option(...recording)
    .action(lazily(() => import('./events.commands.js'), 'tailEvents'));
  const webhooks = cli.add('webhooks');
  webhooks
    .leaf('replay', ['<webhook>', 'id of the webhook', identifier])
    .requiredOption('--from <time>', 'ISO 8601 date or date-time: only what was queued then or later')
    .option('--to <time>', 'only what was queued until then (default: now)')
    .option('--failed', 'only those that failed')
    .action(lazily(() => import('./webhooks.commands.js'), 'replayDeliveries'));
  webhooks
    .leaf('listen')
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
