// `npm test [-- FILE...]`: every check of the project, on a database of its own that is gone afterwards.
// With files named, only those tests run: `npm test -- test/e2e/recordings`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, ROOT, say } from './prepare.js';

const files = process.argv.slice(2);
const bin = (...path) => join(ROOT, 'node_modules', ...path);

const CHECKS = [
  ['format', [bin('prettier', 'bin', 'prettier.cjs'), '--check', '--log-level', 'warn', '.']],
  ['lint', [bin('oxlint', 'bin', 'oxlint'), '--quiet', '--deny-warnings']],
  ['types', [bin('typescript', 'bin', 'tsc'), '-p', 'tsconfig.json']],
  ['types of the share page', [bin('typescript', 'bin', 'tsc'), '-p', 'web/tsconfig.json']],
  ['boundaries', [bin('dependency-cruiser', 'bin', 'dependency-cruise.mjs'), '--no-progress', 'src']],
];

/** Where the tests find an S3 server; those that need one are skipped without it. */
const S3_SERVER = ['MRS_TEST_S3_ENDPOINT', 'MRS_TEST_S3_ACCESS_KEY_ID', 'MRS_TEST_S3_SECRET_ACCESS_KEY'];

const running = new Set();
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    interrupted = true;
    for (const child of running) child.kill('SIGTERM');
  });
}

prepare();
const scratch = mkdtempSync(join(tmpdir(), 'mrs-test-'));
try {
  process.exitCode = await main();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function main() {
  if (files.length === 0) {
    const passed = await Promise.all(CHECKS.map(([name, args]) => check(name, args)));
    if (passed.includes(false)) return 1;
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

/** Runs one check; what it has to say is shown when it failed. */
async function check(name, args) {
  const output = [];
  const status = await run(args, { stdio: ['ignore', 'pipe', 'pipe'] }, (chunk) => output.push(chunk));
  say(`check: ${name} ${status === 0 ? 'passed' : 'failed'}`);
  if (status !== 0) process.stderr.write(Buffer.concat(output));
  return status === 0;
}

/** Exit status of a Node process; one that was interrupted counts as failed. */
function run(args, options, onOutput) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, ...options });
    running.add(child);
    child.stdout?.on('data', onOutput);
    child.stderr?.on('data', onOutput);
    child.once('close', (status) => {
      running.delete(child);
      resolve(interrupted ? 1 : (status ?? 1));
    });
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
  const missing = S3_SERVER.filter((name) => !process.env[name]);
  if (missing.length > 0 && skipped.some((name) => name.includes('S3'))) {
    say(`tests with S3 were skipped: no S3 server is given (${missing.join(', ')} not set)`);
  }
  if (skipped.some((name) => name.includes('in a browser'))) {
    say('tests in a browser were skipped: no Chromium found (Debian: apt-get install chromium)');
  }
  process.stdout.write(
    `Tests: ${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped\n`,
  );
}
