import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exampleFiles } from '../jest/example-files.js';

/** What a copy of the project has of its own, or not at all. */
const NOT_COPIED = /^(node_modules|\.git|\.data.*|dist\..*|coverage)$/;
/** Packages that link into the project. */
const LINKED = new Set(['meeting-recording-client', '.cache']);
/** The tests that a new resource must pass, besides those of `npm run check`. */
const TESTS = [
  'test/e2e/bookmarks',
  'test/e2e/events/event-types',
  'test/security/change-replies',
  'test/long/erasure-columns',
  'test/security/recordings-operations',
  'test/security/replays',
  'test/security/routes',
];
/** Only ends what hangs. */
const LIMIT_MS = 15 * 60_000;

describe('the project after "Add a resource" of docs/extending.md', () => {
  const project = mkdtempSync(join(tmpdir(), 'mrs-extended-'));

  /** Runs a script of the copy; returns its exit status and, if it failed, what it wrote. */
  const run = (script: string, ...args: string[]): Promise<[status: number | undefined, output: string]> =>
    new Promise((done) => {
      const { MRS_TEST_PREPARED: _, MRS_TEST_DATABASE_URL: __, ...env } = process.env;
      execFile(
        process.execPath,
        [join(project, script), ...args],
        { cwd: project, env, maxBuffer: 1 << 28, timeout: LIMIT_MS },
        (error, stdout, stderr) => done(error ? [error.code as number, stdout + stderr] : [0, '']),
      );
    });

  beforeAll(() => {
    for (const name of readdirSync('.').filter((one) => !NOT_COPIED.test(one)))
      cpSync(name, join(project, name), { recursive: true });
    const packages = join(project, 'node_modules');
    mkdirSync(packages);
    for (const name of readdirSync('node_modules').filter((one) => !LINKED.has(one)))
      symlinkSync(resolve('node_modules', name), join(packages, name));
    symlinkSync('../clients/typescript', join(packages, 'meeting-recording-client'));
    cpSync('node_modules/.cache', join(packages, '.cache'), { recursive: true });
    for (const [path, text] of Object.entries(exampleFiles())) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text as string);
    }
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it.each([
    ['node_modules/prettier/bin/prettier.cjs', '--write', ...Object.keys(exampleFiles())],
    ['scripts/openapi.js'],
    ['scripts/check.js'],
    ['scripts/test.js', ...TESTS],
  ])(
    'passes %s',
    async (...command) => {
      expect(await run(...(command as [string, ...string[]]))).toEqual([0, '']);
    },
    LIMIT_MS,
  );
});
