import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const ROOT = literally(fileURLToPath(new URL('.', import.meta.url)));
/** Packages whose classes have to be the same for tests as for the service. */
const SHARED_PACKAGES = '(@nestjs|typeorm)';
const NODE_MODULE = './test/jest/node-module.js';

/**
 * Tests run as ES modules, compiled by SWC. `npx jest FILE` works like `npm test -- FILE`: `setup.js` does what is missing. Node, not Jest,
 * loads `src`, once for all test files, from the build in `dist`: Jest would take 3 s a file to load the service. Hence `jest.mock` of
 * a module of `src` is an error. Pass a fake to the constructor, or use `jest.spyOn`.
 */
export default {
  rootDir: '.',
  cacheDirectory: 'node_modules/.cache/jest',
  globalSetup: './test/jest/setup.js',
  globalTeardown: './test/jest/teardown.js',
  testEnvironment: './test/jest/environment.js',
  // Not `testMatch`: its glob matches nothing below a folder with brackets in its name.
  testRegex: '\\.(e2e-)?spec\\.ts$',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    [`^${ROOT}src[\\\\/].+\\.ts$`]: NODE_MODULE,
    // What it compiles from the API document serves all test files of a process.
    [`^${ROOT}test[\\\\/]support[\\\\/]contract\\.ts$`]: NODE_MODULE,
    [`/node_modules/${SHARED_PACKAGES}/`]: NODE_MODULE,
    '^.+\\.ts$': './test/jest/test-file.js',
  },
  transformIgnorePatterns: [`/node_modules/(?!${SHARED_PACKAGES}/)`],
  // Only ends what hangs: machines differ in speed by several times.
  testTimeout: 90_000,
  // One more than Jest would take: its main process has little to do.
  maxWorkers: Math.max(2, availableParallelism()),
  // Modules of earlier test files stay in memory, and garbage collection of a large heap costs more than a new process.
  workerIdleMemoryLimit: '1GB',
};

/** A pattern of exactly this text. */
function literally(text) {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
