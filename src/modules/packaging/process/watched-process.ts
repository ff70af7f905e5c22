import { Worker } from 'node:worker_threads';

/** Worker data for the thread that watches a packager process. */
export interface WatchData {
  /** Process id; another one means that the parent has ended. */
  readonly parent: number;
  /** Seconds of CPU time that the main thread may spend without returning to its event loop. */
  readonly hangSeconds: number;
  /** Two 32-bit integers, at `BEAT` and `CPU_MS`. */
  readonly shared: SharedArrayBuffer;
}

/** Index of a counter that the main thread keeps incrementing. */
export const BEAT = 0;
/** Index of the CPU time that the process may use, in milliseconds. */
export const CPU_MS = 1;

/** The signals with which the watching thread kills its process. Nothing else sends them, and they leave no core file. */
export const ENDED_BY = { hang: 'SIGALRM', cpu: 'SIGVTALRM' } as const;

const BEAT_MS = 250;

/** Starts a thread that watches this process: its parent, its event loop and its CPU time. Created once, at startup. */
export class WatchedProcess {
  private readonly state: Int32Array;

  constructor(hangSeconds: number, cpuSeconds: number) {
    const shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
    this.state = new Int32Array(shared);
    this.allow(cpuSeconds);
    const workerData: WatchData = { parent: process.ppid, hangSeconds, shared };
    new Worker(new URL('./process-watch.js', import.meta.url), { workerData }).unref();
    setInterval(() => Atomics.add(this.state, BEAT, 1), BEAT_MS).unref();
  }

  /** Sets the CPU budget: seconds since the start of the process, which is killed when it needs more. */
  allow(cpuSeconds: number): void {
    Atomics.store(this.state, CPU_MS, Math.min(1000 * cpuSeconds, 2 ** 31 - 1));
  }
}
