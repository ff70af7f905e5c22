// Format, lint, types, module boundaries, licenses and the contract. A check that passed is skipped until a file it reads changes;
// lint and types look only at what changed and what depends on it.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whatToLint } from './lint-changed.js';
import { fingerprint, ROOT, say } from './prepare.js';

const bin = (...path) => join(ROOT, 'node_modules', ...path);
const CACHE = join(ROOT, 'node_modules', '.cache');
/** TypeScript 7 takes a third of the time of TypeScript 6, which other tools still need for its API. */
const TSC = bin('typescript-native', 'bin', 'tsc');
const BOUNDARIES = join(ROOT, 'scripts', 'boundaries.js');
const LICENSES = join(ROOT, 'scripts', 'licenses.js');
const PRETTIER = bin('prettier', 'bin', 'prettier.cjs');
const LINT = [
  bin('oxlint', 'bin', 'oxlint'),
  '--quiet',
  '--deny-warnings',
  '--type-aware',
  '--disable-nested-config',
];
/** What TypeScript remembers from run to run: declarations, so that it knows whether a change affects other files. */
const TYPES = join(CACHE, 'types');
const BUILD_INFO = join(TYPES, 'tsbuildinfo');
const INCREMENTAL = [
  '--incremental',
  '--tsBuildInfoFile',
  BUILD_INFO,
  '--noEmit',
  'false',
  '--emitDeclarationOnly',
  '--outDir',
  TYPES,
];

/** What may contain code: everything except installed packages, build output and documents. */
const CODE = readdirSync(ROOT).filter((name) => !/^(\.|node_modules$|dist|docs$|.*\.(md|yml)$)/.test(name));
const DOCUMENTS = readdirSync(ROOT).filter((name) => /^(docs|.*\.(md|yml))$/.test(name));

/** What determines the types of the client library. */
const CLIENT_READS = ['clients/typescript/src', 'clients/typescript/package.json'];

const LINT_CONFIGURATION = [
  '.oxlintrc.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'web/tsconfig.json',
  ...['checks.js', 'lint', 'lint-changed.js', 'doors.js'].map((name) => `scripts/${name}`),
];

/**
 * `reads`: the files and folders that determine the result; a check without it is fast enough to run every time. `after`: the check
 * that it waits for; `narrow`: what is left to do.
 */
export const CHECKS = {
  // Before the others, which read what it generates.
  client: { args: [join(ROOT, 'scripts', 'client.js')] },
  format: { args: [PRETTIER, '--check', '--log-level=warn', '--cache', '--cache-strategy=content', '.'] },
  types: {
    args: [TSC, '-p', 'tsconfig.json', ...INCREMENTAL],
    reads: ['src', 'test', 'web', 'scripts', 'ormconfig.ts', 'tsconfig.json', ...CLIENT_READS],
  },
  lint: {
    args: LINT,
    reads: [...CODE, '.oxlintrc.json'],
    after: 'types',
    narrow: () =>
      whatToLint({
        args: LINT,
        memory: join(CACHE, 'checks', 'lint.json'),
        buildInfo: BUILD_INFO,
        configuration: fingerprint(LINT_CONFIGURATION),
      }),
  },
  'types of the examples': {
    args: [TSC, '-p', 'examples/tsconfig.json'],
    reads: ['examples', ...CLIENT_READS],
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
      'scripts/doors.js',
    ],
  },
  licenses: {
    args: [LICENSES, '--check'],
    reads: ['THIRD-PARTY.md', 'scripts/licenses', 'scripts/licenses.js'],
  },
  // Also part of the tests, so that it reads the build: generated documents, migrations, which tests there are for what.
  contract: {
    args: [join(ROOT, 'scripts', 'contract.js')],
    reads: [...CODE, ...DOCUMENTS, '.env.example', '.dockerignore', '.swcrc'],
  },
};

/** Runs all checks, all but the first in parallel, and returns whether all passed. Only failed checks show their output. */
export async function runChecks({ signal, except = [] } = {}) {
  const [[first, client], ...rest] = Object.entries(CHECKS);
  if (!(await check(first, client, undefined, signal))) return false;
  const checks = rest.filter(([name]) => !except.includes(name));
  const running = {};
  for (const [name, one] of checks) running[name] = check(name, one, running[one.after], signal);
  return !(await Promise.all(Object.values(running))).includes(false);
}

async function check(name, { args, reads, narrow }, before, signal) {
  const stamp = join(CACHE, 'checks', name);
  const state = reads && fingerprint([...reads, 'package-lock.json', 'scripts/checks.js']);
  if (state && existsSync(stamp) && readFileSync(stamp, 'utf8') === state) {
    say(`check: ${name} passed (unchanged)`);
    return true;
  }
  // What a check remembers is of its last run, passed or not.
  rmSync(stamp, { force: true });
  await before;
  const { only, passed } = narrow?.() ?? { only: [] };
  const { status, output } = only ? await run([...args, ...only], signal) : { status: 0 };
  if (signal?.aborted) return false;
  say(`check: ${name} ${status === 0 ? 'passed' : 'failed'}`);
  if (status !== 0) process.stderr.write(output);
  if (status === 0 && state) {
    mkdirSync(join(CACHE, 'checks'), { recursive: true });
    writeFileSync(stamp, state);
    passed?.();
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
