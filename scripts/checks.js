// Format, lint, types and module boundaries. What was checked before and has not changed since is not checked again.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT, say } from './prepare.js';

const bin = (...path) => join(ROOT, 'node_modules', ...path);
const CRUISED = join(ROOT, 'node_modules', '.cache', 'dependency-cruiser');

const CHECKS = {
  format: [
    bin('prettier', 'bin', 'prettier.cjs'),
    '--check',
    '--log-level=warn',
    '--cache',
    '--cache-strategy=content',
    '.',
  ],
  lint: [bin('oxlint', 'bin', 'oxlint'), '--quiet', '--deny-warnings'],
  types: [bin('typescript', 'bin', 'tsc'), '-p', 'tsconfig.json'],
  'types of the share page': [bin('typescript', 'bin', 'tsc'), '-p', 'web/tsconfig.json'],
  boundaries: [
    bin('dependency-cruiser', 'bin', 'dependency-cruise.mjs'),
    '--no-progress',
    '--cache',
    CRUISED,
    '--cache-strategy',
    'content',
    'src',
  ],
};

/** Runs all of them at once; whether they passed. What one has to say is shown when it failed. */
export async function runChecks(signal) {
  const passed = await Promise.all(Object.entries(CHECKS).map(([name, args]) => check(name, args, signal)));
  return !passed.includes(false);
}

function check(name, args, signal) {
  const output = [];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], signal });
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    // Only an abort: a program that cannot be started closes with a status of its own.
    child.once('error', () => undefined);
    child.once('close', (status) => {
      if (!signal?.aborted) say(`check: ${name} ${status === 0 ? 'passed' : 'failed'}`);
      if (!signal?.aborted && status !== 0) process.stderr.write(Buffer.concat(output));
      resolve(status === 0);
    });
  });
}
