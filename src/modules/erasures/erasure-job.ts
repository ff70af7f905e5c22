import type { JobOptions } from '../../platform/jobs/enqueue.queries.js';

export interface ErasureRun {
  readonly erasureId: string;
}

const KEY = 'erasure-of-person:';

/** The job of an erasure. Retries take about an hour: a transcription may have to end first. */
export const ERASURE_JOB = {
  task: 'erasures.run',
  options: (id: string): Pick<JobOptions, 'key' | 'maxAttempts'> => ({ key: KEY + id, maxAttempts: 9 }),
  idOf: (key: string): string => key.slice(KEY.length),
} as const;
