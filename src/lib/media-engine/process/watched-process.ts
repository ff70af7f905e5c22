import { Worker } from 'node:worker_threads';

/** Worker data for the thread that watches a packager process. */
export interface WatchData {
  /** Process id; another one means that the parent has ended. */
  readonly parent: number;
  /** Seconds of CPU time that the main thread may spend without returning to its event loop. */
  readonly hangSeconds: number;
  /** A 32-bit integer that the main thread keeps incrementing. */
  readonly shared: SharedArrayBuffer;
}

/** The signal with which the watching thread kills its process. Nothing else sends it, and it leaves no core file. */
export const ENDED_BY_HANG = 'SIGALRM';

const BEAT_MS = 250;

/** Starts a thread that watches this process, its parent and its event loop. To be called once, at startup. */
export function watchProcess(hangSeconds: number): void {
  const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const beat = new Int32Array(shared);
  const workerData: WatchData = { parent: process.ppid, hangSeconds, shared };
  new Worker(new URL('./process-watch.js', import.meta.url), { workerData }).unref();
  setInterval(() => Atomics.add(beat, 0, 1), BEAT_MS).unref();
}
