import type { Command } from 'commander';
import { destructive, leaf, RECORDING } from '../program-parts.js';

/** What `recordings` can do on a server only. */
export function addServerRecordings(recordings: Command): void {
  leaf(
    recordings,
    'watch',
    'On a server: show progress until a recording is complete, and until its transcription and summary have ended if they are in progress; fail if it ends in ERROR.',
  )
    .argument(...RECORDING)
    .action(async (id, options) => (await import('./watch.js')).watchRecording(id, options));
  destructive(
    recordings,
    'move',
    'On a server: move a recording to an organization or folder, or back to personal recordings. Its share links are deleted, unless it stays in its organization.',
  )
    .argument(...RECORDING)
    .option('--organization <id>', 'organization to move it to')
    .option('--folder <id>', 'folder of that organization, or of the one that it is in')
    .option('--personal', 'make it a personal recording')
    .action(async (id, options) => (await import('./move.command.js')).moveRecording(id, options));
  leaf(
    recordings,
    'download',
    'On a server: download the media of a recording. A download that was interrupted continues where it was when it is started again.',
  )
    .argument(...RECORDING)
    .argument('[file]', 'file or folder (default: a file in this folder, named by the server)')
    .action(async (id, file, options) =>
      (await import('./download.command.js')).downloadRecording(id, file, options),
    );
}
