/** What the watching thread of a packager process starts with. */
export interface WatchData {
  /** Process id. */
  readonly parent: number;
  /** Seconds of CPU time that the main thread may compute without returning to its event loop. */
  readonly hangSeconds: number;
  /** Two 32-bit integers, at `BEAT` and `CPU_MS`. */
  readonly shared: SharedArrayBuffer;
}

/** Place of a number that the main thread changes again and again. */
export const BEAT = 0;
/** Place of the CPU time that the process may use, in milliseconds. */
export const CPU_MS = 1;

/** The signals by which the watching thread ends its process. Nothing else sends them, and they leave no core file. */
export const ENDED_BY = { hang: 'SIGALRM', cpu: 'SIGVTALRM' } as const;
