/** Signals that end a process because of a mistake in its own code; a machine without memory sends others. */
const CRASHES: ReadonlySet<string | null> = new Set([
  'SIGSEGV',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGTRAP',
]);

export const isCrash = (signal: string | null): signal is NodeJS.Signals => CRASHES.has(signal);

/** A process that reads media has crashed, most likely because of the media. */
export class CrashError extends Error {
  readonly forUsers: string;

  constructor(readonly signal: NodeJS.Signals) {
    super(`the packager ended by ${signal}`);
    this.name = 'CrashError';
    this.forUsers = `The file is damaged: it crashes the decoder (${signal}).`;
  }
}
