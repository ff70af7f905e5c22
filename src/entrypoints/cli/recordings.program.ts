import { Option } from 'commander';
import { RECORDING_STATUSES } from '../../policy/recording-status.js';
import { RECORDING, requireUserOption, type CliCommand } from './cli-command.js';
import { lazily, onHost, onServerOrHost } from './server/choice.js';

const RECORDINGS = () => import('./commands/recordings.commands.js');
const PROCESSING = () => import('./commands/processing.commands.js');
const SERVER = () => import('./server/recordings.commands.js');

const WATCH =
  'show progress until the recording is complete, and until its transcription and summary have ended if they are in progress; fail if it ends in ERROR or no worker is running';

export function addRecordings(cli: CliCommand): void {
  const recordings = cli.add('recordings');
  recordings
    .list('title', 50)
    .maybeOfUser('their owner (on the host)')
    .option('--organization <id>', 'only those of this organization')
    .addOption(new Option('--status <status>', 'only those with this status').choices(RECORDING_STATUSES))
    .action(onServerOrHost(SERVER, RECORDINGS, 'listRecordings'));
  recordings.leaf('get', RECORDING).action(onServerOrHost(SERVER, RECORDINGS, 'getRecording'));
  recordings
    .leaf('search', [
      '<text>',
      'words that must all occur, "a phrase", budg* for a prefix, -word to exclude one',
    ])
    .limited(50)
    .action(onServerOrHost(SERVER, RECORDINGS, 'searchRecordings'));
  recordings.destructive('delete', RECORDING).action(onServerOrHost(SERVER, RECORDINGS, 'deleteRecording'));
  recordings
    .leaf('upload', ['<file>', 'audio or video file'])
    .maybeOfUser('the owner (on the host)')
    .option('--title <title>', 'title (default: the file name without extension)')
    .option('--organization <id>', 'organization to record for')
    .option('--folder <id>', 'folder of that organization')
    .option('--transcribe', 'transcribe it once it has been packaged (default: AUTO_TRANSCRIBE)')
    .option('--no-transcribe', 'do not transcribe it')
    .option('--language <language>', 'spoken language: code, English name or auto (default: SPEECH_LANGUAGE)')
    .option('--watch', WATCH)
    .action(onServerOrHost(SERVER, PROCESSING, 'uploadRecording', requireUserOption));
  recordings.leaf('retry', RECORDING).option('--watch', WATCH).action(onHost(PROCESSING, 'retryRecording'));
  recordings
    .leaf('transcribe', ['[id]', 'id of the recording'])
    .option('--missing', 'all playable recordings without a transcript; uploads go first')
    .option(
      '--language <language>',
      'spoken language: code, English name or auto; with --missing, of recordings for which none was given (default: SPEECH_LANGUAGE)',
    )
    .action(onHost(PROCESSING, 'transcribeRecordings'));
  recordings.leaf('watch', RECORDING).action(lazily(SERVER, 'watchRecording'));
  recordings
    .destructive('move', RECORDING)
    .option('--organization <id>', 'organization to move it to')
    .option('--folder <id>', 'folder of that organization, or of the one that it is in')
    .option('--personal', 'make it a personal recording')
    .action(lazily(SERVER, 'moveRecording'));
  recordings
    .leaf('download', RECORDING, [
      '[file]',
      'file or folder (default: a file in this folder, named by the server)',
    ])
    .action(lazily(() => import('./server/download.command.js'), 'downloadRecording'));
}
