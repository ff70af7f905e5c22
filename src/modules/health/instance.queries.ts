import type { EntityManager } from 'typeorm';
import { durationText } from '../../lib/amounts.js';
import { MINUTE_S } from '../../lib/durations.js';
import { findQueueState } from '../../platform/jobs/jobs.queries.js';
import { sql } from '../../platform/database/sql.js';

/**
 * Expression that identifies the database in use, the same for all that are connected to it. A copy of the data folder,
 * or a restored backup, has the same content but another server, which was started at another microsecond.
 */
export const INSTANCE = sql`left(encode(sha256(convert_to(
  concat(extract(epoch FROM pg_postmaster_start_time()), ' ', current_database()), 'UTF8')), 'hex'), 16)`;

/** A worker takes what waits within seconds, unless all of its slots are taken. */
export const LONG_WAIT_S = 15 * MINUTE_S;

/** What is wrong with the queue of jobs, in a sentence. */
export async function findQueueProblem(manager: EntityManager): Promise<string | null> {
  const { hasWorker, waiting } = await findQueueState(manager);
  if (!hasWorker)
    return 'No worker runs, so nothing that is uploaded is processed. Start one: npm run start:worker';
  if (waiting < LONG_WAIT_S) return null;
  return `A job has waited for ${durationText(waiting)}: all slots of the workers are taken, or jobs fail; see their logs.`;
}

export const findInstance = (manager: EntityManager): Promise<string> =>
  sql(manager).value<string>`SELECT ${INSTANCE}`;
