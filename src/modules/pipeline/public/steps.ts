import type { Lane } from '../../../platform/jobs/lanes.js';
import type { ChosenJob } from '../../../platform/jobs/job-lane.js';

export interface StepQueue {
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
  /** Fetches media from a `source_url`. Failures of its server are counted in the row, those of the service here. */
  receive: { log: 'fetching', task: 'uploads.fetch', key: 'fetch:', lane: 'fetch', maxAttempts: 6 },
  /** Packages what is only copied, and publishes the source of what is left to `convert`. Retries take four minutes. */
  package: { log: 'packaging', task: 'packaging.package', key: 'package:', lane: 'intake', maxAttempts: 6 },
  /** Packages media that has to be encoded. */
  convert: { log: 'packaging', task: 'packaging.convert', key: 'package:', lane: 'default', maxAttempts: 6 },
  /** Processes a track, or takes an archive of tracks apart. */
  track: { log: 'tracks', task: 'tracks.process', key: 'track:', lane: 'default', maxAttempts: 6 },
  /** Makes tracks of those of the media of a recording. Nobody waits: all of them are heard in the media, too. */
  split: { log: 'tracks', task: 'tracks.split', key: 'split:', lane: 'default', maxAttempts: 4 },
  /** Makes the media of a recording that has none of its tracks. */
  mix: { log: 'mixes', task: 'tracks.mix', key: 'mix:', lane: 'default', maxAttempts: 6 },
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

/** The subject of the work was deleted, or another attempt has started: the result of this one is discarded. */
export class SupersededError extends Error {
  constructor() {
    super('Deleted, or superseded by another attempt');
    this.name = 'SupersededError';
  }
}

/** Trying again is pointless. The message is the `statusReason` that the user reads. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** A step of a recording. Its job may die at any point and may run twice: of its attempts, only one is current. */
export interface Step<Payload, Job = Payload> {
  /** Returns the job with what the attempt starts from; null if there is nothing to do, or no longer. */
  readonly begin: (payload: Payload) => Promise<Job | null>;
  /** Ends with a transaction that locks what it changes, and throws `SupersededError` if the attempt is not current. */
  readonly run: (attempt: Attempt<Job>) => Promise<void>;
  /** Returns whether the attempt is current, and stores its progress. Called every second. */
  readonly isCurrent: (attempt: Attempt<Job>) => Promise<boolean>;
  /** Why trying again is pointless, as the user reads it, or null. Not asked about refusals and unplayable media. */
  readonly refusalOf?: (error: unknown) => string | null;
  /** Records a refusal, if the attempt is current; without it, only the log has it. */
  readonly fail?: (attempt: Attempt<Job>, reason: string) => Promise<void>;
  /** Enqueues the job again, because the process is stopping or the attempt has given way. */
  readonly again: (attempt: Attempt<Job>) => Promise<void>;
  /** Records that the last attempt has failed; may be called twice. Without it, only the log has it. */
  readonly giveUp?: (recordingId: string) => Promise<void>;
}

/** One attempt at a step, in one run of its job. */
export class Attempt<Job> {
  /** A number from 0 to 1; null until the work has set it. */
  progress: number | null = null;
  /** Aborts when the process is stopping, the attempt gives way, or with `SupersededError`. */
  readonly signal: AbortSignal;
  private readonly superseded = new AbortController();
  private readonly yielded = new AbortController();

  constructor(
    readonly step: StepName,
    readonly job: Job,
    readonly chosen: ChosenJob,
    private readonly stop: AbortSignal,
  ) {
    this.signal = AbortSignal.any([stop, this.yielded.signal, this.superseded.signal]);
  }

  /** Ends the attempt, because another one is current. */
  supersede(): void {
    this.superseded.abort(new SupersededError());
  }

  /** Ends the attempt in favour of jobs that wait; it goes on later. `reason`: that of the signal. */
  giveWay(reason?: Error): void {
    this.yielded.abort(reason);
  }

  get isSuperseded(): boolean {
    return this.superseded.signal.aborted;
  }

  get hasGivenWay(): boolean {
    return this.yielded.signal.aborted;
  }

  /** Whether it ended before its work was done, through no fault of the work. */
  get isInterrupted(): boolean {
    return this.stop.aborted || this.hasGivenWay;
  }
}
