/** Aborts with another signal, after a time, or by `abort`. */
export interface Limit {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Ends the time limit. */
  stopTimer(): void;
  /** Ends both: it is no longer needed. */
  release(): void;
}

/** Like `AbortSignal.any`, which keeps what it has combined for as long as the first signal lives in Node 20. */
export function limit(signal?: AbortSignal, ms?: number, late?: Error): Limit {
  const controller = new AbortController();
  const stop = (): void => controller.abort(signal?.reason);
  const timer = ms === undefined ? undefined : setTimeout(() => controller.abort(late), ms);
  if (signal?.aborted) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    stopTimer: () => clearTimeout(timer),
    release: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    },
  };
}

/** Resolves after this time; rejects with the signal's reason if that aborts first. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const limited = limit(signal, ms);
    limited.signal.addEventListener('abort', () => {
      limited.release();
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    });
  });
}
