import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** What the thread that watches a packager process is given. */
interface WatchData {
  /** Process id; another one means that the parent has ended. */
  readonly parent: number;
  /** Seconds of CPU time that the main thread may spend without returning to its event loop. */
  readonly hangSeconds: number;
  /** A 32-bit integer that the main thread keeps incrementing. */
  readonly beats: Int32Array;
}

/** The signal with which the watching thread kills its process. Nothing else sends it, and it leaves no core file. */
export const ENDED_BY_HANG = 'SIGALRM';

const BEAT_MS = 250;

if (!isMainThread && (workerData as WatchData | null)?.beats) watch(workerData as WatchData);

/** Starts a thread that watches this process, its parent and its event loop. To be called once, at startup. */
export function watchProcess(hangSeconds: number): void {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const data: WatchData = { parent: process.ppid, hangSeconds, beats };
  new Worker(new URL(import.meta.url), { workerData: data }).unref();
  setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
}

/**
 * Kills the process when its parent is gone, or when its main thread hangs, as in a parser that loops endlessly: the
 * event loop of this thread keeps running. The limit is measured in CPU time of the whole process, including its decoder
 * threads, because a busy or suspended machine is not the file's fault.
 */
function watch({ parent, hangSeconds, beats }: WatchData): void {
  let last = { beat: Atomics.load(beats, 0), seconds: cpuSeconds() };
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    const now = { beat: Atomics.load(beats, 0), seconds: cpuSeconds() };
    if (now.beat !== last.beat) last = now;
    else if (now.seconds - last.seconds > hangSeconds) process.kill(process.pid, ENDED_BY_HANG);
  }, BEAT_MS);
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
