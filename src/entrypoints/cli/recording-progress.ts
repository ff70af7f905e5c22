import { singleLine } from '../../lib/text.js';
import { CommandError, EXIT } from './exit-status.js';
import { showProgress } from './progress.js';
import type { RecordingStatus, ShownStatus } from '../../policy/recording-status.js';

/** How far a recording is, on the host or a server. */
export interface RecordingProgress {
  readonly status: RecordingStatus;
  readonly progress: number;
  readonly statusReason: string | null;
  /** `progress`: fraction of the audio, 0 to 1. */
  readonly transcription: Step & { readonly progress: number | null };
  readonly summary: Step;
}

interface Step {
  readonly status: ShownStatus | null;
  readonly statusReason: string | null;
}

/**
 * Waits until a recording is complete, and its transcription and summary have ended, if they are in progress. If one of
 * these two fails, or something is missing from the media, the reason is printed, but the recording is complete.
 * `pause`: waits until it is time to `read` again.
 */
export async function watchProgress(
  id: string,
  read: () => Promise<RecordingProgress>,
  pause: () => Promise<unknown>,
): Promise<RecordingProgress> {
  const before = await read();
  let seen = before;
  const bar = showProgress();
  try {
    for (let step = stepOf(seen); step; step = stepOf(seen)) {
      if (seen.status === 'ERROR') throw new CommandError(EXIT.failure, `${id}: ${seen.statusReason}`);
      bar.show(...step);
      await pause();
      seen = await read();
    }
  } finally {
    bar.end();
  }
  reportMissing(id, before, seen);
  return seen;
}

/** What is in progress, as a fraction and in words; null if nothing is. */
function stepOf(seen: RecordingProgress): [number, string] | null {
  const { status, progress, transcription, summary } = seen;
  const transcribed = transcription.progress ?? 0;
  if (status !== 'COMPLETED') return [progress, `${status} ${percent(progress)}`];
  if (transcription.status === 'processing')
    return [transcribed, `${status}, transcribing ${percent(transcribed)}`];
  if (summary.status === 'processing') return [progress, `${status}, summary processing`];
  return null;
}

/** Prints why something is missing from a recording that is complete. */
function reportMissing(id: string, before: RecordingProgress, after: RecordingProgress): void {
  const report = (what: string, reason: string | null, known: string | null): void => {
    if (reason !== null && reason !== known) process.stderr.write(`${id}: ${what}${singleLine(reason)}\n`);
  };
  report('', after.statusReason, null);
  report('not transcribed: ', after.transcription.statusReason, before.transcription.statusReason);
  report('not summarized: ', after.summary.statusReason, before.summary.statusReason);
}

const percent = (fraction: number): string => `${Math.round(fraction * 100)}%`;
