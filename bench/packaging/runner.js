import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGroup } from '../processes.js';
import { PeakMemory } from './peak-memory.js';

const RUN = fileURLToPath(new URL('run.js', import.meta.url));

/** The process that does the work, started anew for each bench. */
export class Runner {
  static async start(folder) {
    const group = startGroup(process.execPath, [RUN], {
      // Outside the project, whose `.env` would otherwise apply.
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const runner = new Runner(group, folder);
    await runner.#next();
    return runner;
  }

  constructor(group, folder) {
    this.group = group;
    this.folder = folder;
  }

  /** Wall-clock and CPU seconds, and the peak memory in MB of the processes that were started for it. */
  async measure(side, source) {
    const output = mkdtempSync(join(this.folder, 'output-'));
    const memory = new PeakMemory(this.group.child.pid);
    try {
      const reply = this.#next();
      this.group.child.send(side.ask(source, output));
      const { error, ...measured } = await reply;
      if (error) throw new Error(`${side.name}, ${source.name}: ${error}`);
      const megabytes = await memory.stop();
      return { ...measured, ...(megabytes !== null && { megabytes }) };
    } finally {
      await memory.stop();
      rmSync(output, { recursive: true, force: true });
    }
  }

  stop() {
    return this.group.stop();
  }

  #next() {
    const { child, ended } = this.group;
    return Promise.race([
      new Promise((resolve) => child.once('message', resolve)),
      ended.then(() => Promise.reject(new Error('the process that packages has ended'))),
    ]);
  }
}
