import { Worker } from 'node:worker_threads';
import { BEAT, CPU_MS, type WatchData } from './watch-data.js';

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
