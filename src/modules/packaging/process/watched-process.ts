import { Worker } from 'node:worker_threads';

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

const BEAT_MS = 250;

/** Has a thread watch this process: its parent, its event loop and its CPU time. Started once, at the very beginning. */
export class WatchedProcess {
  private readonly state: Int32Array;

  constructor(parent: number, hangSeconds: number, cpuSeconds: number) {
    const shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
    this.state = new Int32Array(shared);
    this.allow(cpuSeconds);
    const workerData: WatchData = { parent, hangSeconds, shared };
    new Worker(new URL('./process-watch.js', import.meta.url), { workerData }).unref();
    setInterval(() => Atomics.add(this.state, BEAT, 1), BEAT_MS).unref();
  }

  /** Seconds of CPU time from the start of the process; it is ended when it needs more. */
  allow(cpuSeconds: number): void {
    Atomics.store(this.state, CPU_MS, Math.min(1000 * cpuSeconds, 2 ** 31 - 1));
  }
}
