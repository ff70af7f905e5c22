import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const SAMPLE_MS = 50;

/**
 * Watches the descendants of a process from now on. Their peak together is the highest sum of the kernel's own records
 * (`VmHWM`) of those that run at the same time.
 */
export class PeakMemory {
  #stopped = new AbortController();
  #peak = 0;

  constructor(pid) {
    this.ended = process.platform === 'linux' ? this.#watch(pid) : null;
  }

  /** The peak in MB; null where the system does not tell. */
  async stop() {
    this.#stopped.abort();
    await this.ended;
    return this.ended && this.#peak;
  }

  async #watch(pid) {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const together = descendantsOf(pid).reduce((sum, one) => sum + megabytesOf(one), 0);
      this.#peak = Math.max(this.#peak, together);
      await sleep(SAMPLE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

function descendantsOf(pid) {
  const tasks = unlessEnded(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  const children = tasks
    .map((task) => unlessEnded(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')) ?? '')
    .flatMap((list) => list.split(' ').filter(Boolean));
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

function megabytesOf(pid) {
  const status = unlessEnded(() => readFileSync(`/proc/${pid}/status`, 'utf8')) ?? '';
  return (Number(/^VmHWM:\s+(\d+) kB/mu.exec(status)?.[1] ?? 0) * 1024) / 1e6;
}

/** Null when the process has ended meanwhile. */
function unlessEnded(read) {
  try {
    return read();
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return null;
    throw error;
  }
}
