import { availableParallelism } from 'node:os';

/** Tests run as ES modules, compiled by SWC; `scripts/test.js` starts Jest with the flag Node needs for that. */
export default {
  rootDir: '.',
  cacheDirectory: 'node_modules/.cache/jest',
  testEnvironment: './test/jest/environment.js',
  // Not `testMatch`: its glob matches nothing below a folder with brackets in its name.
  testRegex: '\\.(e2e-)?spec\\.ts$',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '/src/.+\\.ts$': './test/jest/node-module.js',
    '/node_modules/(@nestjs|typeorm)/': './test/jest/node-module.js',
    '^.+\\.ts$': '@swc/jest',
  },
  transformIgnorePatterns: ['/node_modules/(?!(@nestjs|typeorm)/)'],
  testTimeout: 30_000,
  // One more than Jest would take on two cores: tests wait for the database half of the time.
  maxWorkers: Math.max(2, availableParallelism()),
};
