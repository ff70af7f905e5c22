import { singleLine } from '../../lib/text.js';
import { CommandError, EXIT } from './exit-status.js';
import { showProgress } from './progress.js';
import type { RecordingStatus, ShownStatus } from '../../policy/recording-status.js';

/** How far a recording is, on the host or a server. */
export interface RecordingProgress {
  readonly status: RecordingStatus;
  readonly progress: number;
  readonly status_reason: string | null;
  readonly transcription: ShownStatus | null;
  /** Fraction of the audio, 0 to 1. */
  readonly transcribed: number | null;
  readonly transcription_reason: string | null;
  readonly summary: ShownStatus | null;
  readonly summary_reason: string | null;
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
      if (seen.status === 'ERROR') throw new CommandError(EXIT.failure, `${id}: ${seen.status_reason}`);
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
  const transcribed = seen.transcribed ?? 0;
  if (status !== 'COMPLETED') return [progress, `${status} ${percent(progress)}`];
  if (transcription === 'processing') return [transcribed, `${status}, transcribing ${percent(transcribed)}`];
  if (summary === 'processing') return [progress, `${status}, summary processing`];
  return null;
}

/** Prints why something is missing from a recording that is complete. */
function reportMissing(id: string, before: RecordingProgress, after: RecordingProgress): void {
  const report = (what: string, reason: string): void =>
    void process.stderr.write(`${id}: ${what}${singleLine(reason)}\n`);
  if (after.status_reason !== null) report('', after.status_reason);
  if (after.transcription_reason !== null && after.transcription_reason !== before.transcription_reason) {
    report('not transcribed: ', after.transcription_reason);
  }
  if (after.summary_reason !== null && after.summary_reason !== before.summary_reason) {
    report('not summarized: ', after.summary_reason);
  }
}

const percent = (fraction: number): string => `${Math.round(fraction * 100)}%`;
