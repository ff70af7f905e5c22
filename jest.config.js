import { availableParallelism } from 'node:os';

/** Tests run as ES modules, compiled by SWC; `scripts/test.js` starts Jest with the flag Node needs for that. */
export default {
  rootDir: '.',
  testEnvironment: 'node',
  // Not `testMatch`: its glob matches nothing below a folder with brackets in its name.
  testRegex: '\\.(e2e-)?spec\\.ts$',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  testTimeout: 30_000,
  // One more than Jest would take on two cores: tests wait for the database half of the time.
  maxWorkers: Math.max(2, availableParallelism()),
};
