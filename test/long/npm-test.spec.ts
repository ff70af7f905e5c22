import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { postgresProcesses, processRuns, Sandbox, until } from '../support/process.js';

const RUNNER = fileURLToPath(new URL('../../scripts/test.js', import.meta.url));
const CONFIG = JSON.stringify({ testRegex: '\\.spec\\.cjs$', transform: {} });

const ON_FILES_OF = (folder: string): string[] => [`--config=${CONFIG}`, `--rootDir=${folder}`, folder];

const PASSES = `it('passes', () => {}); it('passes again', () => {});`;
const FAILS = `it('fails', () => { throw new Error('as it should'); });`;
const CANNOT_LOAD = `describe.each([])('%s', () => it('is never declared', () => {}));`;
const FAILS_OUTSIDE = `it('passes', () => {}); afterAll(() => { throw new Error('outside of any test'); });`;
const NEEDS_S3 = `describe.skip('objects [needs S3: ENDPOINT not set]', () => { it('one', () => {}); it('two', () => {}); });`;
const NEEDS_BOTH = `describe.skip('pages [needs Chromium: not found]', () => {
  describe.skip('in S3 [needs S3: ENDPOINT not set]', () => it('three', () => {}));
});`;
/** Starts a program and hangs, after writing the ids of both processes to a file. */
const HANGS = `it('hangs', async () => {
  const program = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  require('node:fs').writeFileSync(process.env.NOTE, process.pid + ' ' + program.pid);
  await new Promise(() => setInterval(() => {}, 1000));
}, 1e6);`;
const HAS_S3 = `describe('objects [needs S3]', () => it('four', () => {}));`;

/** `npm test` on small test files instead of the project's own. */
describe('npm test', () => {
  const sandbox = new Sandbox();
  afterAll(() => sandbox.cleanUp());

  async function totals(files: Record<string, string>, ...args: string[]) {
    const folder = await sandbox.folder();
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, `${name}.spec.cjs`), text);
    const program = await sandbox.run([RUNNER, '--fast', ...ON_FILES_OF(folder), ...args], {});
    const { status, stdout } = await program.ended;
    return { status, lines: stdout.replaceAll(folder, '').trim().split('\n') };
  }

  it('ends with the totals and status 0 if all tests passed', async () => {
    expect(await totals({ PASSES })).toEqual({
      status: 0,
      lines: ['Tests: 2 passed, 0 failed, 0 skipped'],
    });
  });

  it('counts a failed test, a file that cannot run and one that fails outside its tests', async () => {
    expect(await totals({ PASSES, FAILS, CANNOT_LOAD, FAILS_OUTSIDE })).toEqual({
      status: 1,
      lines: [
        expect.stringMatching(/^could not run: \/(CANNOT_LOAD|FAILS_OUTSIDE)\.spec\.cjs$/),
        expect.stringMatching(/^could not run: \/(CANNOT_LOAD|FAILS_OUTSIDE)\.spec\.cjs$/),
        'Tests: 3 passed, 3 failed, 0 skipped',
      ],
    });
  });

  it('fails if a file cannot run, even if nothing else is wrong', async () => {
    expect(await totals({ PASSES, CANNOT_LOAD })).toEqual({
      status: 1,
      lines: ['could not run: /CANNOT_LOAD.spec.cjs', 'Tests: 2 passed, 1 failed, 0 skipped'],
    });
  });

  it('reports what the skipped tests need, with their number per reason', async () => {
    const { status, lines } = await totals({ PASSES, NEEDS_S3, NEEDS_BOTH, HAS_S3 });
    expect(status).toBe(0);
    expect(lines.toSorted()).toEqual([
      'Tests: 3 passed, 0 failed, 3 skipped',
      'skipped: 1 test that needs Chromium (not found) and S3 (ENDPOINT not set)',
      'skipped: 2 tests that need S3 (ENDPOINT not set)',
    ]);
  });

  it.each([
    ['skipped', `it.skip('is left out', () => {});`],
    ['planned', `it.todo('is left out');`],
  ])('fails if a test is %s without a reason', async (_, LEFT_OUT) => {
    expect(await totals({ PASSES, LEFT_OUT })).toEqual({
      status: 1,
      lines: ['skipped without a reason: is left out', 'Tests: 2 passed, 1 failed, 0 skipped'],
    });
  });

  it.each([
    ['there are none', {}],
    ['none could run', { NEEDS_S3 }],
  ])('fails if no test was run, because %s', async (_, files) => {
    const { status, lines } = await totals(files);
    expect(status).toBe(1);
    expect(lines.slice(-2)).toEqual([
      'no test was run',
      expect.stringMatching(/^Tests: 0 passed, 1 failed, [02] skipped$/),
    ]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'stops everything it started, including its database, on %s',
    async (signal) => {
      const [folder, temporary] = [await sandbox.folder(), await sandbox.folder()];
      await writeFile(join(folder, 'HANGS.spec.cjs'), HANGS);
      const note = join(folder, 'note');
      const settings = { NOTE: note, TMPDIR: temporary };
      const program = await sandbox.run([RUNNER, ...ON_FILES_OF(folder)], settings);
      await until('the test', () => existsSync(note) || program.hasEnded, 30_000);
      const begun = [...readFileSync(note, 'utf8').split(' ').map(Number), ...postgresBelow(temporary)];
      expect(begun.length).toBeGreaterThan(2);
      expect((await program.kill(signal)).status).toBe(1);
      expect(begun.filter(processRuns)).toEqual([]);
      expect(readdirSync(temporary)).toEqual([]);
    },
  );
});

/** Of the only run with a folder there. */
function postgresBelow(temporary: string): number[] {
  const [run = ''] = readdirSync(temporary);
  const database = readdirSync(join(temporary, run)).find((name) => name.startsWith('database-')) ?? '';
  return postgresProcesses(join(temporary, run, database));
}
