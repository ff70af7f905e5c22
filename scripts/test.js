// `npm test [-- FILE...]`: every check of the project, on a database of its own that is gone afterwards.
// With files named, only those tests run: `npm test -- test/e2e/recordings`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, ROOT, say } from './prepare.js';

const files = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'mrs-test-'));
const bin = (...path) => join(ROOT, 'node_modules', ...path);

const CHECKS = [
  ['format', [bin('prettier', 'bin', 'prettier.cjs'), '--check', '--log-level', 'warn', '.']],
  ['lint', [bin('oxlint', 'bin', 'oxlint'), '--quiet', '--deny-warnings']],
  ['types', [bin('typescript', 'bin', 'tsc'), '-p', 'tsconfig.json']],
  ['boundaries', [bin('dependency-cruiser', 'bin', 'dependency-cruise.mjs'), '--no-progress', 'src']],
];

let running;
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    interrupted = true;
    running?.kill('SIGTERM');
  });
}

try {
  process.exitCode = await main();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function main() {
  prepare();
  if (files.length === 0) {
    for (const [name, args] of CHECKS) {
      say(`check: ${name}`);
      if ((await run(args)) !== 0) return 1;
    }
  }
  const { startTestDatabase } = await import('../dist/src/cli/test-database.js');
  const database = await startTestDatabase(join(scratch, 'data'));
  try {
    return await runJest(database.url);
  } finally {
    await database.stop();
  }
}

async function runJest(databaseUrl) {
  const results = join(scratch, 'results.json');
  const jest = [bin('jest', 'bin', 'jest.js'), '--json', `--outputFile=${results}`, ...files];
  const status = await run(['--experimental-vm-modules', '--no-warnings', ...jest], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, MRS_TEST_DATABASE_URL: databaseUrl },
  });
  if (!interrupted) printTotals(results);
  return status;
}

/** Exit status of a Node process; one that was interrupted counts as failed. */
function run(args, options = { stdio: 'inherit' }) {
  return new Promise((resolve) => {
    running = spawn(process.execPath, args, { cwd: ROOT, ...options });
    running.once('close', (status) => resolve(interrupted ? 1 : (status ?? 1)));
  });
}

function printTotals(results) {
  const { testResults, numPassedTests, numFailedTests, numPendingTests } = JSON.parse(
    readFileSync(results, 'utf8'),
  );
  const skipped = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'pending').map(({ fullName }) => fullName),
  );
  for (const name of skipped) say(`skipped: ${name}`);
  process.stdout.write(
    `Tests: ${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped\n`,
  );
}
