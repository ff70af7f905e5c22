import type { AppLogger } from '../logging/app-logger.js';

const ROUND_MS = 1_000;

/** What the work is for was deleted, or another attempt has begun: the result of this one is of no use to anybody. */
export class SupersededError extends Error {
  constructor() {
    super('Deleted, or superseded by another attempt');
    this.name = 'SupersededError';
  }
}

/**
 * One attempt of a job at work that takes a while. The job may die anywhere and run twice, even at once: many attempts may
 * be under way, one of them is current, and only that one is published.
 */
export interface Attempt {
  /** For the log: what the work is, and the ids of what it is done for. */
  readonly name: string;
  readonly ids: Readonly<Record<string, string>>;
  /** Whether it is current; stores its progress, 0 to 1, where it has reported any. Asked every second. */
  readonly isCurrent: (progress: number | null) => Promise<boolean>;
  /** The work. Ends with a transaction that locks what it changes and throws `SupersededError` if it is not current. */
  readonly work: (context: AttemptContext) => Promise<void>;
  /** Why trying again is of no use, in words for the user; null for an error that is worth another attempt. */
  readonly refusal: (error: unknown) => string | null;
  /** Records the refusal, if the attempt is current. */
  readonly fail: (reason: string) => Promise<void>;
  /** Orders the same job once more. */
  readonly again: () => Promise<void>;
}

export interface AttemptContext {
  /** Aborts when the process is to stop, or with `SupersededError`. */
  readonly signal: AbortSignal;
  readonly report: (progress: number) => void;
}

/** Runs an attempt in its job. Throws what is worth another attempt, which the queue starts later. */
export async function runAttempt(attempt: Attempt, stop: AbortSignal, logger: AppLogger): Promise<void> {
  const watch = watchAttempt(attempt, stop, logger);
  try {
    await attempt.work(watch);
  } catch (error) {
    if (error instanceof SupersededError || watch.superseded.aborted) return;
    // Whichever worker is next begins anew, and it does not count as a failure.
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
 * Passes progress on every second, and learns by it whether the attempt is current. A round that fails, because the
 * database is away, changes nothing: publishing asks again.
 */
function watchAttempt({ name, ids, isCurrent }: Attempt, stop: AbortSignal, logger: AppLogger): AttemptWatch {
  const superseded = new AbortController();
  let latest: number | null = null;
  let asking = false;
  const ask = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    try {
      if (!(await isCurrent(latest))) superseded.abort(new SupersededError());
    } catch (error) {
      logger.warn({ ...ids, err: error }, `${name}: whether the attempt is current is not known`);
    } finally {
      asking = false;
    }
  };
  const timer = setInterval(() => void ask(), ROUND_MS);
  return {
    signal: AbortSignal.any([stop, superseded.signal]),
    superseded: superseded.signal,
    report: (progress) => (latest = progress),
    end: () => clearInterval(timer),
  };
}
