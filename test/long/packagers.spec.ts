import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FfmpegPackager } from '../../src/modules/packaging/ffmpeg/ffmpeg.packager.js';
import { MediabunnyPackager } from '../../src/modules/packaging/mediabunny/mediabunny.packager.js';
import { childProcesses, makeMedia } from '../support/media.js';
import { keepsPackagerContract } from '../support/packager-contract.js';
import { PLAYABLE } from '../support/playable-media.js';
import { FFMPEG, ffmpegPath } from '../support/requirements.js';
import { MEDIA } from '../support/test-data.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

describe('packager with mediabunny', () => {
  keepsPackagerContract(new MediabunnyPackager(), PLAYABLE, MEDIA);

  it('encodes audio in constant memory', async () => {
    const args = [here('../support/encode-audio.mjs'), here('../../dist/src/modules/packaging/codecs.js')];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    // For 98 MB of audio.
    expect(Number(stdout)).toBeLessThan(60e6);
  });
});

FFMPEG.describe('packager with FFmpeg', () =>
  keepsPackagerContract(new FfmpegPackager(ffmpegPath ?? ''), PLAYABLE, MEDIA),
);

describe('packager with mediabunny, when a file sends its parser into an endless loop', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await makeMedia();
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('fails with damaged media, and leaves no process behind', async () => {
    const source = join(folder, 'circling.webm');
    const head = (await readFile(join(folder, 'live.webm'))).subarray(0, 100);
    await writeFile(source, Buffer.concat([head, Buffer.alloc(10_000)]));
    const started = new MediabunnyPackager({ hangSeconds: 2 }).package(
      { source, folder: await mkdtemp(join(folder, 'package-')) },
      { signal: new AbortController().signal, onProgress: () => undefined },
    );
    await expect(started).rejects.toMatchObject({
      name: 'UnplayableMediaError',
      message: 'The file is damaged: reading it never finishes.',
    });
    expect(childProcesses('packager.process')).toEqual([]);
  });
});
