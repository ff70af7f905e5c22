import { setTimeout } from 'node:timers/promises';
import type { Schemas } from 'meeting-recording-client';
import { singleLine } from '../../../lib/text.js';
import { CommandError, EXIT } from '../exit-status.js';
import { print, type Output } from '../output.js';
import { showProgress } from '../progress.js';
import { reportMissing, stepOf, type RecordingProgress } from '../recording-progress.js';
import { onServer, type Session } from './client.js';

const POLL_INTERVAL_MS = 1_000;

/** `recordings watch ID`. */
export const watchRecording = (id: string, options: Output): Promise<void> =>
  onServer(async (session) => {
    const { status } = await watch(session, id);
    print(options, { id, status }, `${singleLine(id)}: ${status}`);
  });

/** Waits until a recording is complete, and its transcription and summary have ended, if they are in progress. */
export async function watch(session: Session, id: string): Promise<RecordingProgress> {
  const before = await readProgress(session, id);
  const after = await untilDone(session, id, before);
  reportMissing(id, before, after);
  return after;
}

async function untilDone(session: Session, id: string, begun: RecordingProgress): Promise<RecordingProgress> {
  const bar = showProgress();
  try {
    for (let seen = begun; ; seen = await readProgress(session, id)) {
      if (seen.status === 'ERROR') throw new CommandError(EXIT.failure, `${id}: ${seen.status_reason}`);
      const step = stepOf(seen);
      if (!step) return seen;
      bar.show(...step);
      await setTimeout(POLL_INTERVAL_MS, undefined, { signal: session.signal }).catch(() =>
        session.signal.throwIfAborted(),
      );
    }
  } finally {
    bar.end();
  }
}

const readProgress = async ({ api, signal }: Session, id: string): Promise<RecordingProgress> =>
  progressOf(await api.get('/recordings/{id}', { path: { id }, signal }));

function progressOf({
  status,
  progress,
  statusReason,
  transcription,
  summary,
}: Schemas['RecordingDetail']): RecordingProgress {
  return {
    status,
    progress,
    status_reason: statusReason,
    transcription: transcription.status,
    transcribed: transcription.progress,
    transcription_reason: transcription.statusReason,
    summary: summary.status,
    summary_reason: summary.statusReason,
  };
}
