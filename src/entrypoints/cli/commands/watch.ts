import { setTimeout } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { StartError } from '../../../platform/config/settings.js';
import { DatabaseServer } from '../../../platform/database/database-server.js';
import { hasWorkers } from '../../../platform/jobs/job-keeper.js';
import type { ContentStatus, RecordingStatus } from '../../../policy/recording-status.js';
import { notFound } from '../exit-status.js';
import { showProgress } from '../progress.js';

const POLL_INTERVAL_MS = 500;
/** A worker may just be starting. */
const WORKER_WAIT_MS = 5_000;

interface Progress {
  readonly status: RecordingStatus;
  readonly progress: number;
  readonly status_reason: string | null;
  readonly transcription: ContentStatus | null;
  /** Fraction of the audio, 0 to 1. */
  readonly transcribed: number | null;
  readonly transcription_reason: string | null;
  readonly summary: ContentStatus | null;
  readonly summary_reason: string | null;
}

/**
 * Waits until a worker of the running service has finished the work, including a transcription and a summary in
 * progress. If one of these two fails, or something is missing from the media, the reason is printed, but the recording
 * is complete.
 */
export async function watch(service: INestApplicationContext, id: string): Promise<Progress> {
  const before = await readProgress(service, id);
  const after = await untilDone(service, id);
  if (after.status_reason !== null) process.stderr.write(`${id}: ${after.status_reason}\n`);
  if (after.transcription_reason !== null && after.transcription_reason !== before.transcription_reason) {
    process.stderr.write(`${id}: not transcribed: ${after.transcription_reason}\n`);
  }
  if (after.summary_reason !== null && after.summary_reason !== before.summary_reason) {
    process.stderr.write(`${id}: not summarized: ${after.summary_reason}\n`);
  }
  return after;
}

async function untilDone(service: INestApplicationContext, id: string): Promise<Progress> {
  const begun = Date.now();
  const bar = showProgress();
  try {
    for (;;) {
      const seen = await readProgress(service, id);
      if (seen.status === 'ERROR') throw new StartError(`${id}: ${seen.status_reason}`);
      const step = stepOf(seen);
      if (!step) return seen;
      bar.show(...step);
      if (Date.now() - begun > WORKER_WAIT_MS && !(await workersRun(service))) {
        throw new StartError(`${id}: no worker is running; start one with npm start`);
      }
      await setTimeout(POLL_INTERVAL_MS);
    }
  } finally {
    bar.end();
  }
}

export async function readProgress(service: INestApplicationContext, id: string): Promise<Progress> {
  // One snapshot: the next step is in progress as soon as the previous one is complete.
  const [found] = await service.get<DataSource>(getDataSourceToken()).sql<Progress[]>`
    SELECT r.status, r.progress, r.status_reason, t.status AS transcription, t.progress AS transcribed,
           t.status_reason AS transcription_reason,
           s.status AS summary, s.status_reason AS summary_reason
    FROM recordings r
    LEFT JOIN transcripts t ON t.recording_id = r.id
    LEFT JOIN summaries s ON s.recording_id = r.id
    WHERE r.id = ${id}`;
  if (!found) throw notFound(`${id}: the recording was deleted`);
  return found;
}

/** What is in progress, as a fraction and in words; null if nothing is. */
function stepOf(seen: Progress): [number, string] | null {
  const { status, progress, transcription, summary } = seen;
  const transcribed = seen.transcribed ?? 0;
  if (status !== 'COMPLETED') return [progress, `${status} ${percent(progress)}`];
  if (transcription === 'processing') return [transcribed, `${status}, transcribing ${percent(transcribed)}`];
  if (summary === 'processing') return [progress, `${status}, summary processing`];
  return null;
}

const percent = (fraction: number): string => `${Math.round(fraction * 100)}%`;

function workersRun(service: INestApplicationContext): Promise<boolean> {
  return hasWorkers(service.get(DatabaseServer).url);
}
