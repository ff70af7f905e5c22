import { DAY_S } from '../../lib/durations.js';

/** Numbers of the contract that concern tracks alone. */
export const TRACK_LIMITS = {
  /** Tracks of one recording. */
  tracks: 50,
  /** Seconds from the beginning of the recording to that of a track. */
  offset: { min: -DAY_S, max: DAY_S },
} as const;
