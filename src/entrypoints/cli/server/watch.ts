import { setTimeout } from 'node:timers/promises';
import type { Schemas } from 'meeting-recording-client';
import { singleLine } from '../../../lib/text.js';
import { print, type Output } from '../output.js';
import { watchProgress, type RecordingProgress } from '../recording-progress.js';
import { onServer, type Session } from './client.js';

const POLL_INTERVAL_MS = 1_000;

/** `recordings watch ID`. */
export const watchRecording = (id: string, options: Output): Promise<void> =>
  onServer(async (session) => {
    const { status } = await watch(session, id);
    print(options, { id, status }, `${singleLine(id)}: ${status}`);
  });

/** Waits until nothing is in progress. */
export const watch = (session: Session, id: string): Promise<RecordingProgress> =>
  watchProgress(
    id,
    () => readProgress(session, id),
    () =>
      setTimeout(POLL_INTERVAL_MS, undefined, { signal: session.signal }).catch(() =>
        session.signal.throwIfAborted(),
      ),
  );

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
