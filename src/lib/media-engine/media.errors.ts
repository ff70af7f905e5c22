/** The media will never play, so retrying is pointless. The message is for users. */
export class UnplayableMediaError extends Error {
  override readonly name = 'UnplayableMediaError';
}

/** Signals that end a process because of a mistake in its own code; a machine without memory sends others. */
const CRASHES = new Set<string | null>(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGTRAP']);

export const isCrash = (signal: string | null): signal is NodeJS.Signals => CRASHES.has(signal);

/** A process that reads media has crashed, most likely because of the media. */
export class CrashError extends Error {
  override readonly name = 'CrashError';

  constructor(readonly signal: NodeJS.Signals) {
    super(`the packager ended by ${signal}`);
  }
}
