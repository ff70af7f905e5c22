import type { Command } from 'commander';
import { group, leaf, ofUser } from './command.js';

const WATCH =
  'show progress until the recording is complete, and until its transcription and summary have ended if they are in progress; fail if it ends in ERROR or no worker is running';

const commands = () => import('../recordings.commands.js');

export function addRecordings(cli: Command): void {
  const recordings = group(
    cli,
    'recordings',
    'Upload recordings, retry failed ones, and start transcriptions.',
  );
  ofUser(
    leaf(
      recordings,
      'upload',
      'Upload a file as a new recording and print its id. A worker packages it.',
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
    .action(async (file, options) => (await commands()).uploadRecording(file, options));
  leaf(recordings, 'retry', 'Retry packaging a recording in ERROR, or moving one in MIGRATING.')
    .argument('<id>', 'id of the recording')
    .option('--watch', WATCH)
    .action(async (id, options) => (await commands()).retryRecording(id, options));

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
      (await import('../transcribe.commands.js')).transcribeRecordings(id, options),
    );
}
