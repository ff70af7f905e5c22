import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Sandbox } from '../support/process.js';

const BENCH = fileURLToPath(new URL('../../bench/run.js', import.meta.url));

describe('npm run bench with invalid arguments', () => {
  const sandbox = new Sandbox();
  afterAll(() => sandbox.cleanUp());

  it.each([
    ['an unknown bench', ['nonsense']],
    ['an unknown option', ['--nonsense']],
    ['too few recordings', ['api', '--recordings', '10']],
    ['an unknown load', ['fairness', '--loads', '1,99']],
    ['meetings of no length', ['speech', '--minutes', '1,0']],
    ['a file of no size', ['packaging', '--megabytes', '0']],
    ['a part of a second to encode', ['packaging', '--clip', '0.5']],
    ['no rounds', ['api', '--rounds', '0']],
    ['an invalid number of seconds', ['api', '--seconds', 'long']],
  ])('only prints its usage: %s', async (_, args) => {
    const { status, stdout, stderr } = await (await sandbox.run([BENCH, ...args], {})).ended;
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^usage: npm run bench .*\[--no-compare\].*\n$/);
  });
});

describe('npm run bench -- packaging without FFmpeg', () => {
  const sandbox = new Sandbox();
  afterAll(() => sandbox.cleanUp());

  it('says what is missing, and writes no results', async () => {
    const folder = await sandbox.folder();
    const out = join(folder, 'results.json');
    const program = await sandbox.run([BENCH, 'packaging', '--out', out], { PATH: folder });
    const { status, stdout, stderr } = await program.ended;
    expect([status, stdout, existsSync(out)]).toEqual([1, '', false]);
    expect(stderr).toContain('FFmpeg, to compare with, is not on the PATH (Debian: apt-get install ffmpeg)');
  });
});
