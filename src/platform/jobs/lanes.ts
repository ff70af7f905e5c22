import type { Settings } from '../config/settings.js';

type WorkerSettings = Pick<Settings, 'workerConcurrency'>;

/** The slots of one worker process. Jobs of one lane never wait for a slot that a job of another lane holds. */
export const LANES = {
  default: ({ workerConcurrency }: WorkerSettings) => workerConcurrency,
  /** Takes minutes of CPU time on every core that is free. */
  transcription: () => 1,
  /** Takes a second or two every few seconds of a meeting in progress, and people wait for it. */
  live: () => 1,
  /** Waits for other servers most of the time. */
  fetch: () => 4,
  /** Takes seconds, and people wait for it: what has been uploaded becomes playable. */
  intake: ({ workerConcurrency }: WorkerSettings) => workerConcurrency,
  /** Removes what is not to be kept any longer, one batch after the other: nobody waits for it. */
  retention: () => 1,
  /** Copies for minutes or hours. A user, however much they export, holds one of the two. */
  export: () => 2,
  /** Waits for a single server, which may hang. */
  mail: () => 2,
  /** Waits for a chat server, which may hang, or take hours for a long meeting. */
  summary: () => 2,
} as const satisfies Readonly<Record<string, (settings: WorkerSettings) => number>>;

export type Lane = keyof typeof LANES;

export const LANE_NAMES = Object.keys(LANES) as readonly Lane[];
