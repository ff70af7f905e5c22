import { Option } from 'commander';
import { RECORDING_STATUSES } from '../../policy/recording-status.js';
import { RECORDING, requireUserOption, type CliCommand } from './cli-command.js';
import { lazily, onHost, onServerOrHost } from './server/choice.js';

const READS = () => import('./commands/recording-reads.commands.js');
const RECORDINGS = () => import('./commands/recordings.commands.js');
const SERVER = () => import('./server/recordings.commands.js');

const WATCH =
  'show progress until the recording is complete, and until its transcription and summary have ended if they are in progress; fail if it ends in ERROR or no worker is running';

export function addRecordings(cli: CliCommand): void {
  const recordings = cli.add(
    'recordings',
    'List, show, search, upload and delete recordings: on a server those of the user, on the host of anyone. Retry failed ones, and start transcriptions.',
  );
  recordings
    .list('List recordings, newest first.', 'title', 50)
    .maybeOfUser('their owner (on the host)')
    .option('--organization <id>', 'only those of this organization')
    .addOption(new Option('--status <status>', 'only those with this status').choices(RECORDING_STATUSES))
    .action(onServerOrHost(SERVER, READS, 'listRecordings'));
  recordings
    .leaf('get', 'Show one recording: its status and why, owner, organization, length and size.')
    .argument(...RECORDING)
    .action(onServerOrHost(SERVER, READS, 'getRecording'));
  recordings
    .leaf(
      'search',
      'Search titles, notes, summaries and transcripts, best match first, with a passage of each.',
    )
    .argument('<text>', 'words that must all occur, "a phrase", budg* for a prefix, -word to exclude one')
    .limited(50)
    .action(onServerOrHost(SERVER, READS, 'searchRecordings'));
  recordings
    .destructive('delete', 'Delete a recording with its media, transcript, summary and share links.')
    .argument(...RECORDING)
    .action(onServerOrHost(SERVER, RECORDINGS, 'deleteRecording'));
  recordings
    .leaf(
      'upload',
      'Upload a file as a new recording and print its id. A worker packages it. A file that is not audio or video is refused, and leaves no recording.',
    )
    .argument('<file>', 'audio or video file')
    .maybeOfUser('the owner (on the host)')
    .option('--title <title>', 'title (default: the file name without extension)')
    .option('--organization <id>', 'organization to record for')
    .option('--folder <id>', 'folder of that organization')
    .option('--transcribe', 'transcribe it once it has been packaged (default: AUTO_TRANSCRIBE)')
    .option('--no-transcribe', 'do not transcribe it')
    .option('--language <language>', 'spoken language: code, English name or auto (default: SPEECH_LANGUAGE)')
    .option('--watch', WATCH)
    .action(onServerOrHost(SERVER, RECORDINGS, 'uploadRecording', requireUserOption));
  recordings
    .leaf('retry', 'Retry packaging a recording that is in ERROR or has no HLS, or moving one in MIGRATING.')
    .argument(...RECORDING)
    .option('--watch', WATCH)
    .action(onHost(RECORDINGS, 'retryRecording'));
  recordings
    .leaf(
      'transcribe',
      'Start a transcription of one playable recording, the first one or a new one; with --missing, of all that have no transcript, as far as the plans and feature flags of their owners allow.',
    )
    .argument('[id]', 'id of the recording')
    .option('--missing', 'all playable recordings without a transcript; uploads go first')
    .option(
      '--language <language>',
      'spoken language: code, English name or auto; with --missing, of recordings for which none was given (default: SPEECH_LANGUAGE)',
    )
    .action(onHost(RECORDINGS, 'transcribeRecordings'));
  recordings
    .leaf(
      'watch',
      'On a server: show progress until a recording is complete, and until its transcription and summary have ended if they are in progress; fail if it ends in ERROR.',
    )
    .argument(...RECORDING)
    .action(lazily(SERVER, 'watchRecording'));
  recordings
    .destructive(
      'move',
      'On a server: move a recording to an organization or folder, or back to personal recordings. Its share links are deleted, unless it stays in its organization.',
    )
    .argument(...RECORDING)
    .option('--organization <id>', 'organization to move it to')
    .option('--folder <id>', 'folder of that organization, or of the one that it is in')
    .option('--personal', 'make it a personal recording')
    .action(lazily(SERVER, 'moveRecording'));
  recordings
    .leaf(
      'download',
      'On a server: download the media of a recording. A download that was interrupted continues where it was when it is started again.',
    )
    .argument(...RECORDING)
    .argument('[file]', 'file or folder (default: a file in this folder, named by the server)')
    .action(lazily(() => import('./server/download.command.js'), 'downloadRecording'));
}
