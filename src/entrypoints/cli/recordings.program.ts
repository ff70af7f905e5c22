import { Option, type Command } from 'commander';
import { RECORDING_STATUSES } from '../../policy/recording-status.js';
import { destructive, group, leaf, limited, list, maybeOfUser, ofUser, RECORDING } from './program-parts.js';
import { addServerRecordings } from './server/recordings.program.js';

const READS = () => import('./commands/recording-reads.commands.js');
const RECORDINGS = () => import('./commands/recordings.commands.js');

const WATCH =
  'show progress until the recording is complete, and until its transcription and summary have ended if they are in progress; fail if it ends in ERROR or no worker is running';

/** `recordings ...` */
export function addRecordings(cli: Command): void {
  const recordings = group(
    cli,
    'recordings',
    'List, show, search, upload and delete recordings of anyone, retry failed ones, and start transcriptions.',
  );
  maybeOfUser(
    list(recordings, 'List recordings of all users and organizations, newest first.', 'title', '50'),
    'their owner',
  )
    .option('--organization <id>', 'only those of this organization')
    .addOption(new Option('--status <status>', 'only those with this status').choices(RECORDING_STATUSES))
    .action(async (options) => (await READS()).listRecordings(options));
  leaf(recordings, 'get', 'Show one recording: its status and why, owner, organization, length and size.')
    .argument(...RECORDING)
    .action(async (id, options) => (await READS()).getRecording(id, options));
  limited(
    leaf(
      recordings,
      'search',
      'Search titles, notes, summaries and transcripts of all recordings, best match first, with a passage of each.',
    ).argument('<text>', 'words that must all occur, "a phrase", budg* for a prefix, -word to exclude one'),
    '50',
  ).action(async (text, options) => (await READS()).searchRecordings(text, options));
  destructive(
    recordings,
    'delete',
    'Delete a recording of anyone with its media, transcript, summary and share links.',
  )
    .argument(...RECORDING)
    .action(async (id, options) =>
      (await import('./commands/recording-deletion.command.js')).deleteRecording(id, options),
    );
  ofUser(
    leaf(
      recordings,
      'upload',
      'Upload a file as a new recording and print its id. A worker packages it. A file that is not audio or video is refused, and leaves no recording.',
    ).argument('<file>', 'audio or video file'),
    'the owner',
  )
    .option('--title <title>', 'title (default: the file name without extension)')
    .option('--organization <id>', 'organization to record for')
    .option('--folder <id>', 'folder of that organization')
    .option('--transcribe', 'transcribe it once it has been packaged (default: AUTO_TRANSCRIBE)')
    .option('--no-transcribe', 'do not transcribe it')
    .option('--language <language>', 'spoken language: code, English name or auto (default: SPEECH_LANGUAGE)')
    .option('--watch', WATCH)
    .action(async (file, options) => (await RECORDINGS()).uploadRecording(file, options));
  leaf(
    recordings,
    'retry',
    'Retry packaging a recording that is in ERROR or has no HLS, or moving one in MIGRATING.',
  )
    .argument(...RECORDING)
    .option('--watch', WATCH)
    .action(async (id, options) => (await RECORDINGS()).retryRecording(id, options));

  leaf(
    recordings,
    'transcribe',
    'Start a transcription of one playable recording, the first one or a new one; with --missing, of all that have no transcript, as far as the plans and feature flags of their owners allow.',
  )
    .argument('[id]', 'id of the recording')
    .option('--missing', 'all playable recordings without a transcript; uploads go first')
    .option(
      '--language <language>',
      'spoken language: code, English name or auto; with --missing, of recordings for which none was given (default: SPEECH_LANGUAGE)',
    )
    .action(async (id, options) =>
      (await import('./commands/transcribe.commands.js')).transcribeRecordings(id, options),
    );
  addServerRecordings(recordings);
}
