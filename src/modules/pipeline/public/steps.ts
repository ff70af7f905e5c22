import type { Lane } from '../../../platform/jobs/lanes.js';

export interface StepQueue {
  /** The work, in the log. */
  readonly log: string;
  readonly task: string;
  /** Begins the key of a job; the id of the recording follows, so that at most one job of a recording waits. */
  readonly key: string;
  /** Whose slots the jobs run in. */
  readonly lane: Lane;
  /** Failures after which the step is given up. */
  readonly maxAttempts: number;
  /** It runs every few seconds, and is logged only if it fails. */
  readonly quiet?: true;
}

/** The steps of a recording, in the order in which it goes through them. */
export const STEPS = {
  /**
   * Fetches media from a `source_url`. Failures of its server are counted in the row: these are of the service itself.
   */
  receive: { log: 'fetching', task: 'uploads.fetch', key: 'fetch:', lane: 'fetch', maxAttempts: 6 },
  /**
   * Packages what is only copied, and publishes the source of what has to be encoded, which it leaves to `convert`.
   * Delays between the attempts are 3, 7, 20, 55 and 148 seconds.
   */
  package: { log: 'packaging', task: 'packaging.package', key: 'package:', lane: 'intake', maxAttempts: 6 },
  /** Packages media that has to be encoded. */
  convert: { log: 'packaging', task: 'packaging.convert', key: 'package:', lane: 'default', maxAttempts: 6 },
  /** Transcribes what has arrived of a meeting in progress; the next bytes start it again. */
  listen: {
    log: 'live transcripts',
    task: 'transcription.listen',
    key: 'listen:',
    lane: 'live',
    maxAttempts: 3,
    quiet: true,
  },
  /** Delays between the attempts are 3, 7 and 20 seconds. */
  transcribe: {
    log: 'transcripts',
    task: 'transcription.transcribe',
    key: 'transcribe:',
    lane: 'transcription',
    maxAttempts: 4,
  },
  summarize: {
    log: 'summaries',
    task: 'summaries.summarize',
    key: 'summarize:',
    lane: 'summary',
    maxAttempts: 4,
  },
} as const satisfies Record<string, StepQueue>;

export type StepName = keyof typeof STEPS;

/** `priority` of work that nobody is waiting for: it yields to all other jobs. More than `afterOwn` adds. */
export const LATER = { package: 10, transcribe: 100 } as const;

/** `progress` when all bytes have been received; packaging continues from there. */
export const RECEIVED = 0.5;
/** `progress` when the recording can be played. */
export const PACKAGED = 0.95;
