import type { AppLogger } from '../logging/app-logger.js';

const ROUND_MS = 1_000;

/** The subject of the work was deleted, or another attempt has started: the result of this one is discarded. */
export class SupersededError extends Error {
  constructor() {
    super('Deleted, or superseded by another attempt');
    this.name = 'SupersededError';
  }
}

/**
 * One attempt of a job at long-running work. The job may die at any point and may run twice, even concurrently: of the
 * attempts in progress only one is current, and only its result is published.
 */
export interface Attempt {
  /** For the log: the kind of work, and the ids of its subject. */
  readonly name: string;
  readonly ids: Readonly<Record<string, string>>;
  /** Whether it is current; also stores its progress, 0 to 1, if it has reported any. Called every second. */
  readonly isCurrent: (progress: number | null) => Promise<boolean>;
  /** The work. Ends with a transaction that locks what it changes and throws `SupersededError` if it is not current. */
  readonly work: (context: AttemptContext) => Promise<void>;
  /** Why retrying is pointless, as a message for the user; null for an error that should be retried. */
  readonly refusal: (error: unknown) => string | null;
  /** Records the refusal, if the attempt is current. */
  readonly fail: (reason: string) => Promise<void>;
  /** Enqueues the same job again. */
  readonly again: () => Promise<void>;
}

export interface AttemptContext {
  /** Aborts when the process is stopping, or with `SupersededError`. */
  readonly signal: AbortSignal;
  readonly report: (progress: number) => void;
}

/** Runs an attempt in its job. Throws errors that should be retried, which the queue does later. */
export async function runAttempt(attempt: Attempt, stop: AbortSignal, logger: AppLogger): Promise<void> {
  const watch = watchAttempt(attempt, stop, logger);
  try {
    await attempt.work(watch);
  } catch (error) {
    if (error instanceof SupersededError || watch.superseded.aborted) return;
    // The next available worker starts over; this does not count as a failure.
    if (stop.aborted) return await attempt.again();
    const reason = attempt.refusal(error);
    if (reason === null) throw error;
    logger.warn({ ...attempt.ids, err: error }, `${attempt.name}: refused`);
    await attempt.fail(reason);
  } finally {
    watch.end();
  }
}

interface AttemptWatch extends AttemptContext {
  readonly superseded: AbortSignal;
  readonly end: () => void;
}

/**
 * Stores progress every second and checks whether the attempt is still current. A failed check, such as when the database
 * is unavailable, changes nothing: publishing checks again.
 */
function watchAttempt({ name, ids, isCurrent }: Attempt, stop: AbortSignal, logger: AppLogger): AttemptWatch {
  const superseded = new AbortController();
  let latest: number | null = null;
  let checking = false;
  const check = async (): Promise<void> => {
    if (checking) return;
    checking = true;
    try {
      if (!(await isCurrent(latest))) superseded.abort(new SupersededError());
    } catch (error) {
      logger.warn({ ...ids, err: error }, `${name}: could not check whether the attempt is current`);
    } finally {
      checking = false;
    }
  };
  const timer = setInterval(() => void check(), ROUND_MS);
  return {
    signal: AbortSignal.any([stop, superseded.signal]),
    superseded: superseded.signal,
    report: (progress) => (latest = progress),
    end: () => clearInterval(timer),
  };
}
