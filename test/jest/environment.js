import { appendFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestEnvironment } from 'jest-environment-node';
import { cpuSoFar, databasePrefix, loading } from './cpu.js';

const MUST_BE_CLOSED = new Set(['TCPSocketWrap', 'TCPServerWrap', 'ProcessWrap']);
const CLOSING_MS = 5_000;

/**
 * Classes that the service uses with `instanceof`: instances created by a test must be of the same class. `Reflect`
 * holds the types of decorated parameters, which Nest uses for injection and validation.
 */
const SHARED = { Date, Error, RangeError, SyntaxError, TypeError, Reflect };

/**
 * Node takes the heap of a process that ends by itself apart, which takes longer than the 500 ms after which Jest kills a
 * worker that "has failed to exit gracefully". A process that something keeps alive does not get here, and is still reported.
 */
if (process.send) process.once('beforeExit', () => process.exit());

/** Globals of a test file: its own, except those shared with modules that `node-module.js` leaves to Node. */
export default class extends TestEnvironment {
  #file;
  #isExample;
  /** The build that its imports from `src` come from. */
  #build = 'dist';
  #variables;
  #openBefore;
  #failed = false;
  #begun = cpuSoFar() - loading.seconds;

  constructor(config, context) {
    super(config, context);
    this.#isExample = 'example' in context.docblockPragmas;
    this.#file = relative(config.globalConfig.rootDir, context.testPath);
  }

  async setup() {
    await super.setup();
    if (this.#isExample) this.#build = await (await import('./example.js')).buildExample();
    this.#openBefore = openResources().length;
    const importIntoNode = (url) =>
      loading.of(() => import(url.replace('/dist/src/', `/${this.#build}/src/`)));
    Object.assign(this.global, SHARED, { importIntoNode });
    this.#variables = process.env;
    process.env = { ...process.env, MRS_TEST_DATABASE_PREFIX: databasePrefix(this.#file) };
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
    if (this.#isExample) rmSync(this.#build, { recursive: true });
    await super.teardown();
    // A failed test may not have cleaned up, and its own failure is more informative.
    try {
      if (!this.#failed) await expectClosed(this.#openBefore);
    } finally {
      this.#noteCpu();
    }
  }

  /** Writes a note for `scripts/test/cpu.js`. Each test process writes a file of its own. */
  #noteCpu() {
    const folder = process.env['MRS_TEST_CPU'];
    if (!folder) return;
    const seconds = cpuSoFar() - loading.seconds - this.#begun;
    appendFileSync(join(folder, String(process.pid)), `${JSON.stringify({ file: this.#file, seconds })}\n`);
  }
}

const openResources = () => process.getActiveResourcesInfo().filter((type) => MUST_BE_CLOSED.has(type));

/** Resources left open keep the worker process alive until Jest kills it. */
async function expectClosed(openBefore) {
  const deadline = Date.now() + CLOSING_MS;
  for (;;) {
    const open = openResources();
    if (open.length <= openBefore) return;
    if (Date.now() > deadline) throw new Error(`These tests left resources open: ${open.join(', ')}`);
    await sleep(50);
  }
}
