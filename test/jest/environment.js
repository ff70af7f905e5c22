import { setTimeout as sleep } from 'node:timers/promises';
import { TestEnvironment } from 'jest-environment-node';

const MUST_BE_CLOSED = new Set(['TCPSocketWrap', 'TCPServerWrap', 'ProcessWrap']);
const CLOSING_MS = 5_000;

/**
 * Classes that the service asks `instanceof` of: what a test makes of them and hands to the service has to be one. `Reflect`
 * keeps the types of decorated parameters, by which Nest injects and checks.
 */
const SHARED = { Date, Error, RangeError, SyntaxError, TypeError, Reflect };

/** Globals of a test file: its own, but for those that connect it with what `node-module.js` leaves to Node. */
export default class extends TestEnvironment {
  #variables;
  #openBefore;
  #failed = false;

  async setup() {
    await super.setup();
    this.#openBefore = openResources().length;
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

  handleTestEvent({ name }) {
    if (name === 'test_fn_failure' || name === 'hook_failure') this.#failed = true;
  }

  async teardown() {
    process.env = this.#variables;
    await super.teardown();
    // A failed test need not have come to its end; its failure says more.
    if (!this.#failed) await expectClosed(this.#openBefore);
  }
}

const openResources = () => process.getActiveResourcesInfo().filter((type) => MUST_BE_CLOSED.has(type));

/** What a test file leaves open keeps its process from ending, until Jest ends it by force. */
async function expectClosed(openBefore) {
  const deadline = Date.now() + CLOSING_MS;
  for (;;) {
    const open = openResources();
    if (open.length <= openBefore) return;
    if (Date.now() > deadline) throw new Error(`These tests leave open: ${open.join(', ')}`);
    await sleep(50);
  }
}
