import { setTimeout } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { StartError } from '../../../platform/config/settings.js';
import { DatabaseServer } from '../../../platform/database/database-server.js';
import { hasWorkers } from '../../../platform/jobs/job-keeper.js';
import { notFound } from '../exit-status.js';
import { watchProgress, type RecordingProgress } from '../recording-progress.js';

const POLL_INTERVAL_MS = 500;
/** A worker may just be starting. */
const WORKER_WAIT_MS = 5_000;

/** Waits until a worker of the running service has finished the work. */
export function watch(service: INestApplicationContext, id: string): Promise<RecordingProgress> {
  const begun = Date.now();
  return watchProgress(
    id,
    () => readProgress(service, id),
    async () => {
      if (Date.now() - begun > WORKER_WAIT_MS && !(await hasWorkers(service.get(DatabaseServer).url)))
        throw new StartError(`${id}: no worker is running; start one with npm start`);
      await setTimeout(POLL_INTERVAL_MS);
    },
  );
}

export async function readProgress(service: INestApplicationContext, id: string): Promise<RecordingProgress> {
  // One snapshot: the next step is in progress as soon as the previous one is complete.
  const [found] = await service.get<DataSource>(getDataSourceToken()).sql<RecordingProgress[]>`
    SELECT r.status, r.progress, r.status_reason AS "statusReason",
           json_build_object('status', t.status, 'progress', t.progress, 'statusReason', t.status_reason) AS transcription,
           json_build_object('status', s.status, 'statusReason', s.status_reason) AS summary
    FROM recordings r
    LEFT JOIN transcripts t ON t.recording_id = r.id
    LEFT JOIN summaries s ON s.recording_id = r.id
    WHERE r.id = ${id}`;
  if (!found) throw notFound(`${id}: the recording was deleted`);
  return found;
}
