const ROUND_MS = 1_000;

/** The recording was deleted, or another attempt has begun: what this one makes is of no use to anybody. */
export class OvertakenError extends Error {
  constructor() {
    super('Deleted, or overtaken by another attempt');
    this.name = 'OvertakenError';
  }
}

export interface AttemptWatch {
  /** Aborts when the process is to stop, or with `OvertakenError` when the attempt counts no more. */
  readonly signal: AbortSignal;
  report(progress: number): void;
  end(): void;
}

/**
 * Passes progress on every second and learns by it whether the attempt still counts. A round that fails, because the
 * database is away, changes nothing: publishing will ask again.
 */
export function watchAttempt(
  stop: AbortSignal,
  stillCounts: (progress: number | null) => Promise<boolean>,
  onError: (error: unknown) => void,
): AttemptWatch {
  const overtaken = new AbortController();
  let latest: number | null = null;
  let asking = false;
  const ask = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    try {
      if (!(await stillCounts(latest))) overtaken.abort(new OvertakenError());
    } catch (error) {
      onError(error);
    } finally {
      asking = false;
    }
  };
  const timer = setInterval(() => void ask(), ROUND_MS);
  return {
    signal: AbortSignal.any([stop, overtaken.signal]),
    report: (progress) => (latest = progress),
    end: () => clearInterval(timer),
  };
}
