// `npm test`: all checks and tests of the project, on a temporary database.
//   npm test -- test/e2e/recordings   only the tests in these files, without the checks; other options go to Jest
//   npm test -- --conditional         only the tests that need more than npm installs
//   npm run test:fast                 only the tests that need neither a database nor a service
//   npm run test:long                 only the tests that inherently take long, which `npm test` leaves out
//   npm run test:watch -- FILE...     the tests in these files, and again after every change
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './checks.js';
import { stopWithParent } from './parent.js';
import { fingerprint, prepare, say } from './prepare.js';
import { TestDatabase } from './test/database.js';
import { runJest } from './test/jest.js';
import { readSelection } from './test/selection.js';
import { stopServersBelow } from './test/stop-servers.js';
import { watchTests } from './test/watch.js';

const MIGRATIONS = 'src/platform/database/migrations';
/** Checks that run tests which a whole run includes. */
const SAME_TESTS = ['contract'];

const selection = readSelection(process.argv.slice(2));
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stopping.abort());
stopWithParent();

// The machine stays usable, and what lowers its own priority, such as conversions, is not starved by the tests.
setPriority(constants.priority.PRIORITY_LOW);

await prepare({ tools: true });
const scratch = mkdtempSync(join(tmpdir(), 'mrs-test-'));
let database;
try {
  process.exitCode = await main();
} catch (error) {
  if (!stopping.signal.aborted) throw error;
  process.exitCode = 1;
} finally {
  await database?.stop();
  await stopServersBelow(scratch);
  // A server that has just been stopped may still be removing its own files.
  rmSync(scratch, { recursive: true, force: true, maxRetries: 10 });
}

async function main() {
  if (selection.isWhole && !(await runChecks({ signal: stopping.signal, except: SAME_TESTS }))) {
    if (!stopping.signal.aborted) say('The tests were not run because a check failed.');
    return 1;
  }
  const run = async (signal) => {
    if (selection.needsDatabase) await useMigratedDatabase();
    return runJest({ selection, scratch, databaseUrl: database?.url, signal });
  };
  return selection.watches ? watchTests(run, stopping.signal) : run(stopping.signal);
}

/** Starts the database, or a new one if the migrations have changed. */
async function useMigratedDatabase() {
  const schema = fingerprint([MIGRATIONS]);
  if (database?.schema === schema) return;
  await database?.stop();
  database = await TestDatabase.start(mkdtempSync(join(scratch, 'database-')), schema);
}
