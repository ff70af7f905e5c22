import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const STOP_DEADLINE_MS = 5_000;
const HAS_GROUPS = process.platform !== 'win32';

/** A Node process and all its descendants, which are stopped together. */
export class ProcessGroup {
  #child;
  #ended;

  constructor(args, options) {
    this.#child = spawn(process.execPath, args, { ...options, detached: HAS_GROUPS });
    this.#ended = new Promise((resolve) => {
      this.#child.once('close', (status) => resolve(status ?? 1));
    });
  }

  /** The exit status, or 1 if terminated by a signal. Stops the whole group when `signal` aborts. */
  async endedUnless(signal) {
    let stopped;
    const stop = () => {
      stopped = this.#stop();
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    const status = await this.#ended;
    signal.removeEventListener('abort', stop);
    await stopped;
    return status;
  }

  /** SIGTERM, then SIGKILL for processes still alive after five seconds. */
  async #stop() {
    const deadline = Date.now() + STOP_DEADLINE_MS;
    let alive = this.#signal('SIGTERM');
    while (alive && Date.now() < deadline) {
      await sleep(50);
      alive = this.#signal(0);
    }
    if (alive) this.#signal('SIGKILL');
  }

  /** Whether any process received it. */
  #signal(signal) {
    if (!HAS_GROUPS) return this.#child.kill(signal);
    try {
      return process.kill(-this.#child.pid, signal);
    } catch (error) {
      if (error.code === 'ESRCH') return false;
      throw error;
    }
  }
}
