import { TestEnvironment } from 'jest-environment-node';

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
  }
}
