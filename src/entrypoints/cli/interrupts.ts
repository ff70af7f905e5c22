const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs `work` with a signal that aborts with Ctrl-C, and SIGTERM, which then do not end the process. */
export async function interruptible<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  reason?: Error,
): Promise<Result> {
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort(reason);
  for (const name of SIGNALS) process.once(name, interrupt);
  try {
    return await work(interrupted.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}
