import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MediabunnyPackager } from '../../src/modules/packaging/mediabunny.packager.js';
import { childProcesses, makeMedia } from '../support/media.js';
import { keepsPackagerContract } from '../support/packager-contract.js';
import { PLAYABLE } from '../support/playable-media.js';
import { LINUX } from '../support/requirements.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** One of each way to package. `test/long/packagers.spec.ts` has them all, with FFmpeg too. */
const SOME = new Set([
  'fast-start.mp4',
  'fragmented.mp4',
  'rotated.mp4',
  'short.mp4',
  'live.webm',
  'odd.webm',
  'late-sound.mkv',
  'sound.wav',
]);

describe('packager with mediabunny', () =>
  keepsPackagerContract(
    new MediabunnyPackager(),
    PLAYABLE.filter(({ name }) => SOME.has(name)),
  ));

let sources: string;
const folders: string[] = [];

beforeAll(async () => {
  sources = await makeMedia();
}, 60_000);
afterAll(async () => {
  await Promise.all([sources, ...folders].map((folder) => rm(folder, { recursive: true, force: true })));
});

describe('packager with mediabunny', () => {
  it('encodes sound in a memory that does not grow with it', async () => {
    const args = [here('../support/encode-sound.mjs'), here('../../dist/src/modules/packaging/codecs.js')];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    // Of 98 MB of sound.
    expect(Number(stdout)).toBeLessThan(60e6);
  });

  LINUX.it('says how its process ended, and that it may be tried again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mrs-package-'));
    folders.push(folder);
    const signal = new AbortController().signal;
    const onProgress = () =>
      childProcesses('packager.process').forEach(({ id }) => process.kill(id, 'SIGSEGV'));
    const started = new MediabunnyPackager().package(
      { source: join(sources, 'paused.webm'), folder },
      { signal, onProgress },
    );
    await expect(started).rejects.toMatchObject({
      name: 'Error',
      message: 'the packager ended by SIGSEGV',
    });
  });
});

describe('packager with mediabunny, when a file sends its parser round in circles', () => {
  const circling = async (): Promise<{ source: string; folder: string }> => {
    const folder = await mkdtemp(join(tmpdir(), 'mrs-package-'));
    folders.push(folder);
    const source = `${folder}.webm`;
    folders.push(source);
    const head = (await readFile(join(sources, 'live.webm'))).subarray(0, 100);
    await writeFile(source, Buffer.concat([head, Buffer.alloc(10_000)]));
    return { source, folder };
  };

  it('gives it up as damaged, and leaves no process', async () => {
    const signal = new AbortController().signal;
    const started = new MediabunnyPackager(3_000).package(await circling(), {
      signal,
      onProgress: () => undefined,
    });
    await expect(started).rejects.toMatchObject({
      name: 'UnplayableMediaError',
      message: 'The file is damaged; reading it comes to no end',
    });
    expect(childProcesses('packager.process')).toEqual([]);
  });
});
