import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { packageMedia } from '../../src/lib/media-engine/media-engine.js';
import { paused } from '../support/media-bombs.js';
import { keepsPackagerContract } from '../support/packager-contract.js';
import { FFMPEG, ffmpegPath, LINUX } from '../support/requirements.js';
import { MEDIA } from '../support/test-data.js';

describe('packager with the library', () => {
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

  const sources = keepsPackagerContract(undefined, { real: MEDIA });

  it('rejects media that turns out longer than its size allows, without padding it', async () => {
    const source = join(sources(), 'paused-for-hours.webm');
    const live = await readFile(join(sources(), 'live.webm'));
    await writeFile(source, paused(live, 11 * 3600));
    const folder = await mkdtemp(join(tmpdir(), 'mrs-package-'));
    folders.push(folder);
    const started = packageMedia(
      { source, folder },
      { signal: new AbortController().signal, onProgress: () => undefined },
    );
    await expect(started).rejects.toMatchObject({
      name: 'UnplayableMediaError',
      message: expect.stringMatching(/^The file is longer than 4\.\d hours, the limit for 6\d KB of data\.$/),
    });
  });

  LINUX.it('gives up on a file that crashes the program twice', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mrs-package-'));
    folders.push(folder);
    await chmod(folder, 0o755);
    const program = join(folder, 'ffmpeg');
    for (const name of ['ffmpeg', 'ffprobe']) {
      await writeFile(join(folder, name), '#!/bin/sh\nkill -SEGV $$\n', { mode: 0o755 });
    }
    const target = await mkdtemp(join(folder, 'target-'));
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    const request = { source: join(sources(), 'live.webm'), folder: target };
    await expect(packageMedia({ ...request, ffmpeg: program }, options)).rejects.toMatchObject({
      name: 'UnplayableMediaError',
      message: 'The file is damaged: it crashes the decoder (SIGSEGV).',
    });
  });
});

FFMPEG.describe('packager with the program', () => {
  keepsPackagerContract(ffmpegPath, { real: MEDIA });
});
