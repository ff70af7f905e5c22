import { setTimeout as sleep } from 'node:timers/promises';
import { TestEnvironment } from 'jest-environment-node';

const MUST_BE_CLOSED = new Set(['TCPSocketWrap', 'TCPServerWrap', 'ProcessWrap']);
const CLOSING_MS = 2_000;

/** Classes that the service asks `instanceof` of: what a test makes of them and hands to the service has to be one. */
const SHARED = { Date, Error, RangeError, SyntaxError, TypeError };

/** Globals of a test file: its own, but for those that connect it with what `node-module.js` leaves to Node. */
export default class extends TestEnvironment {
  #variables;

  async setup() {
    await super.setup();
    Object.assign(this.global, SHARED, { importIntoNode: (url) => import(url) });
    this.#variables = process.env;
    process.env = { ...process.env };
    Object.defineProperty(this.global.process, 'env', {
      get: () => process.env,
      set: (variables) => {
        process.env = variables;
      },
    });
  }

  async teardown() {
    process.env = this.#variables;
    await super.teardown();
    await expectNothingOpen();
  }
}

/** What a test file leaves open keeps its process from ending, until Jest ends it by force. */
async function expectNothingOpen() {
  const deadline = Date.now() + CLOSING_MS;
  for (;;) {
    const open = process.getActiveResourcesInfo().filter((type) => MUST_BE_CLOSED.has(type));
    if (open.length === 0) return;
    if (Date.now() > deadline) throw new Error(`These tests leave open: ${open.join(', ')}`);
    await sleep(50);
  }
}
