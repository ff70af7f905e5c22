// `npm test`: every check and test of the project, on a database of its own that is gone afterwards.
// `npm test -- test/e2e/recordings` runs only the tests in these files, `npm test -- --conditional` only those that need more
// than npm installs; both leave out the checks. Other options are passed to Jest.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, ROOT, say } from './prepare.js';
import { totalsOf } from './test-totals.js';

const given = process.argv.slice(2);
const chosen = given.includes('--conditional') ? conditional() : given;
const bin = (...path) => join(ROOT, 'node_modules', ...path);

const CHECKS = [
  ['format', [bin('prettier', 'bin', 'prettier.cjs'), '--check', '--log-level', 'warn', '.']],
  ['lint', [bin('oxlint', 'bin', 'oxlint'), '--quiet', '--deny-warnings']],
  ['types', [bin('typescript', 'bin', 'tsc'), '-p', 'tsconfig.json']],
  ['types of the share page', [bin('typescript', 'bin', 'tsc'), '-p', 'web/tsconfig.json']],
  ['boundaries', [bin('dependency-cruiser', 'bin', 'dependency-cruise.mjs'), '--no-progress', 'src']],
];

const running = new Set();
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    interrupted = true;
    for (const child of running) child.kill('SIGTERM');
  });
}

await prepare();
const scratch = mkdtempSync(join(tmpdir(), 'mrs-test-'));
try {
  process.exitCode = await main();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function main() {
  if (given.length === 0) {
    const passed = await Promise.all(CHECKS.map(([name, command]) => check(name, command)));
    if (passed.includes(false)) {
      if (!interrupted) say('The tests were not run, as a check failed.');
      return 1;
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

/** Tests whose name says what they need. Linux is left out: it is there in the full run already, or nowhere. */
function conditional() {
  const files = ['--findRelatedTests', join(ROOT, 'test', 'support', 'requirements.ts')];
  return [
    ...files,
    '--testNamePattern',
    '\\[needs (?!Linux)',
    ...given.filter((arg) => arg !== '--conditional'),
  ];
}

/** The exit status: 0 when some tests ran and none failed. */
async function runJest(databaseUrl) {
  const report = join(scratch, 'report.json');
  const jest = [bin('jest', 'bin', 'jest.js'), '--json', `--outputFile=${report}`, ...chosen];
  const status = await run(['--experimental-vm-modules', '--no-warnings', ...jest], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, MRS_TEST_DATABASE_URL: databaseUrl },
  });
  if (interrupted) return 1;
  const filtered = chosen.some((arg) => /^(-t|--testNamePattern)(=|$)/.test(arg));
  const written = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null;
  const { passed, lines } = totalsOf(written, status, { filtered });
  process.stdout.write(`${lines.join('\n')}\n`);
  return passed ? 0 : 1;
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
