import { Option, type Command } from 'commander';
import { RECORDING_STATUSES } from '../../policy/recording-status.js';
import {
  destructive,
  group,
  leaf,
  limited,
  list,
  maybeOfUser,
  RECORDING,
  requireUserOption,
} from './program-parts.js';
import { onHost, onServerOrHost } from './server/choice.js';
import { addServerRecordings } from './server/recordings.program.js';

const READS = () => import('./commands/recording-reads.commands.js');
const RECORDINGS = () => import('./commands/recordings.commands.js');
const SERVER = () => import('./server/recordings.commands.js');

/** Options that name a user: on a server, it is that of the key. */
const USER = ['email', 'id'];

const WATCH =
  'show progress until the recording is complete, and until its transcription and summary have ended if they are in progress; fail if it ends in ERROR or no worker is running';

/** `recordings ...` */
export function addRecordings(cli: Command): void {
  const recordings = group(
    cli,
    'recordings',
    'List, show, search, upload and delete recordings: on a server those of the user, on the host of anyone. Retry failed ones, and start transcriptions.',
  );
  maybeOfUser(list(recordings, 'List recordings, newest first.', 'title', '50'), 'their owner (on the host)')
    .option('--organization <id>', 'only those of this organization')
    .addOption(new Option('--status <status>', 'only those with this status').choices(RECORDING_STATUSES))
    .action(
      onServerOrHost({
        server: async () => (await SERVER()).listRecordings,
        host: async () => (await READS()).listRecordings,
        hostOnly: USER,
      }),
    );
  leaf(recordings, 'get', 'Show one recording: its status and why, owner, organization, length and size.')
    .argument(...RECORDING)
    .action(
      onServerOrHost({
        server: async () => (await SERVER()).getRecording,
        host: async () => (await READS()).getRecording,
      }),
    );
  limited(
    leaf(
      recordings,
      'search',
      'Search titles, notes, summaries and transcripts, best match first, with a passage of each.',
    ).argument('<text>', 'words that must all occur, "a phrase", budg* for a prefix, -word to exclude one'),
    '50',
  ).action(
    onServerOrHost({
      server: async () => (await SERVER()).searchRecordings,
      host: async () => (await READS()).searchRecordings,
    }),
  );
  destructive(recordings, 'delete', 'Delete a recording with its media, transcript, summary and share links.')
    .argument(...RECORDING)
    .action(
      onServerOrHost({
        server: async () => (await SERVER()).deleteRecording,
        host: async () => (await import('./commands/recording-deletion.command.js')).deleteRecording,
      }),
    );
  maybeOfUser(
    leaf(
      recordings,
      'upload',
      'Upload a file as a new recording and print its id. A worker packages it. A file that is not audio or video is refused, and leaves no recording.',
    ).argument('<file>', 'audio or video file'),
    'the owner (on the host)',
  )
    .option('--title <title>', 'title (default: the file name without extension)')
    .option('--organization <id>', 'organization to record for')
    .option('--folder <id>', 'folder of that organization')
    .option('--transcribe', 'transcribe it once it has been packaged (default: AUTO_TRANSCRIBE)')
    .option('--no-transcribe', 'do not transcribe it')
    .option('--language <language>', 'spoken language: code, English name or auto (default: SPEECH_LANGUAGE)')
    .option('--watch', WATCH)
    .action(
      onServerOrHost({
        server: async () => (await SERVER()).uploadRecording,
        host: async () => (await RECORDINGS()).uploadRecording,
        hostOnly: USER,
        check: requireUserOption,
      }),
    );
  leaf(
    recordings,
    'retry',
    'Retry packaging a recording that is in ERROR or has no HLS, or moving one in MIGRATING.',
  )
    .argument(...RECORDING)
    .option('--watch', WATCH)
    .action(onHost(async () => (await RECORDINGS()).retryRecording));

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
    .action(onHost(async () => (await import('./commands/transcribe.commands.js')).transcribeRecordings));
  addServerRecordings(recordings);
}
