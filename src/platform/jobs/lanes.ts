import type { Settings } from '../config/settings.js';

/** Jobs of one lane never wait for a slot that a job of another lane holds. */
export type Lane = 'default' | 'intake' | 'transcription' | 'summary' | 'fetch' | 'mail';

interface LaneProperties {
  /** Second key of the advisory lock under which a slot of the lane chooses a job. */
  readonly choiceKey: number;
  /** Slots of one worker process. */
  readonly slots: (settings: Pick<Settings, 'workerConcurrency'>) => number;
}

export const LANES: Readonly<Record<Lane, LaneProperties>> = {
  default: { choiceKey: 0, slots: ({ workerConcurrency }) => workerConcurrency },
  /** Takes seconds, and people wait for it: what has been uploaded becomes playable. */
  intake: { choiceKey: 3, slots: ({ workerConcurrency }) => workerConcurrency },
  /** Takes minutes of CPU time on every core that is free. */
  transcription: { choiceKey: 1, slots: () => 1 },
  /** Waits for a chat server, which may hang, or take hours for a long meeting. */
  summary: { choiceKey: 5, slots: () => 2 },
  /** Waits for other servers most of the time. */
  fetch: { choiceKey: 2, slots: () => 4 },
  /** Waits for a single server, which may hang. */
  mail: { choiceKey: 4, slots: () => 2 },
};

export const LANE_NAMES = Object.keys(LANES) as readonly Lane[];
