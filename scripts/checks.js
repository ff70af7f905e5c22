// Format, lint, types, module boundaries, licenses and the contract. A check that passed is skipped until a file it reads changes.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, ROOT, say } from './prepare.js';

const bin = (...path) => join(ROOT, 'node_modules', ...path);
const CACHE = join(ROOT, 'node_modules', '.cache');
/** TypeScript 7 takes a third of the time of TypeScript 6, which other tools still need for its API. */
const TSC = bin('typescript-native', 'bin', 'tsc');
const BOUNDARIES = join(ROOT, 'scripts', 'boundaries.js');
const LICENCES = join(ROOT, 'scripts', 'licences.js');
const PRETTIER = bin('prettier', 'bin', 'prettier.cjs');

/** What may contain code: everything except installed packages, build output and documents. */
const CODE = readdirSync(ROOT).filter((name) => !/^(\.|node_modules$|dist|docs$|.*\.(md|yml)$)/.test(name));
const DOCUMENTS = readdirSync(ROOT).filter((name) => /^(docs|.*\.(md|yml))$/.test(name));

/** `reads`: the files and folders that determine the result; a check without it is fast enough to run every time. */
export const CHECKS = {
  format: { args: [PRETTIER, '--check', '--log-level=warn', '--cache', '--cache-strategy=content', '.'] },
  lint: {
    args: [
      bin('oxlint', 'bin', 'oxlint'),
      '--quiet',
      '--deny-warnings',
      '--type-aware',
      '--disable-nested-config',
    ],
    reads: [...CODE, '.oxlintrc.json'],
  },
  types: {
    args: [TSC, '-p', 'tsconfig.json'],
    reads: ['src', 'test', 'web', 'ormconfig.ts', 'tsconfig.json'],
  },
  'types of the share page': { args: [TSC, '-p', 'web/tsconfig.json'], reads: ['web'] },
  boundaries: {
    args: [BOUNDARIES],
    reads: [
      'src',
      'test/examples',
      '.dependency-cruiser.json',
      'scripts/boundaries.js',
      'scripts/boundary-messages.js',
      'scripts/services-of.js',
    ],
  },
  licences: {
    args: [LICENCES, '--check'],
    reads: ['docs/licences.md', 'scripts/licences', 'scripts/licences.js'],
  },
  // Also part of the tests, so that it reads the build: generated documents, migrations, which tests there are for what.
  contract: {
    args: [
      '--experimental-vm-modules',
      '--no-warnings',
      bin('jest', 'bin', 'jest.js'),
      'test/contract/',
      '--runInBand',
      `--reporters=${join(ROOT, 'scripts', 'failures-reporter.js')}`,
    ],
    reads: [...CODE, ...DOCUMENTS, '.env.example', '.dockerignore', '.swcrc'],
  },
};

/** Runs all checks in parallel and returns whether all passed. Only failed checks show their output. */
export async function runChecks({ signal, except = [] } = {}) {
  const checks = Object.entries(CHECKS).filter(([name]) => !except.includes(name));
  const passed = await Promise.all(checks.map(([name, one]) => check(name, one, signal)));
  return !passed.includes(false);
}

async function check(name, { args, reads }, signal) {
  const stamp = join(CACHE, 'checks', name);
  const state = reads && fingerprint([...reads, 'package-lock.json', 'scripts/checks.js']);
  if (state && existsSync(stamp) && readFileSync(stamp, 'utf8') === state) {
    say(`check: ${name} passed (unchanged)`);
    return true;
  }
  const { status, output } = await run(args, signal);
  if (signal?.aborted) return false;
  say(`check: ${name} ${status === 0 ? 'passed' : 'failed'}`);
  if (status !== 0) process.stderr.write(output);
  if (status === 0 && state) {
    mkdirSync(join(CACHE, 'checks'), { recursive: true });
    writeFileSync(stamp, state);
  }
  return status === 0;
}

function run(args, signal) {
  const output = [];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], signal });
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    // Emitted on abort, or if the program cannot be started; `close` follows in either case.
    child.once('error', () => undefined);
    child.once('close', (status) => resolve({ status, output: Buffer.concat(output) }));
  });
}
