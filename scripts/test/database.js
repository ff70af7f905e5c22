import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const HOLDER = fileURLToPath(new URL('./database-holder.js', import.meta.url));

/** The PostgreSQL of a test run. Held by a child process, so that it stops when this process ends, in whatever way. */
export class TestDatabase {
  #holder;
  url;
  schema;

  constructor(holder, url, schema) {
    this.#holder = holder;
    this.url = url;
    this.schema = schema;
  }

  /** `schema`: fingerprint of the migrations. */
  static async start(folder, schema) {
    // Without the options of this process: a debugger listens at one port.
    const holder = fork(HOLDER, [folder], { execArgv: [] });
    const [url] = await Promise.race([once(holder, 'message'), once(holder, 'exit')]);
    if (typeof url !== 'string') throw new Error('The test database did not start; see above');
    return new TestDatabase(holder, url, schema);
  }

  async stop() {
    if (!this.#holder.connected) return;
    const ended = once(this.#holder, 'exit');
    this.#holder.disconnect();
    await ended;
  }
}
