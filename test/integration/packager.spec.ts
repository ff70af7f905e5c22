import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Packager } from '../../src/modules/packaging/packager.js';
import { paused } from '../support/media-bombs.js';
import { childProcesses } from '../support/media.js';
import { keepsPackagerContract } from '../support/packager-contract.js';
import { PLAYABLE } from '../support/playable-media.js';
import { LINUX } from '../support/requirements.js';

/**
 * What has to be turned, scaled or padded; `formats.spec.ts` has formats. `test/long/packagers.spec.ts` has all files, and
 * FFmpeg.
 */
const SOME = new Set(['rotated.mp4', 'odd.webm', 'late-sound.mkv']);

describe('packager with the library', () => {
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

  const sources = keepsPackagerContract(
    new Packager({ ffmpegPath: undefined }),
    PLAYABLE.filter(({ name }) => SOME.has(name)),
  );

  it('rejects media that turns out longer than its size allows, without padding it', async () => {
    const source = join(sources(), 'paused-for-hours.webm');
    const live = await readFile(join(sources(), 'live.webm'));
    await writeFile(source, paused(live, 11 * 3600));
    const folder = await mkdtemp(join(tmpdir(), 'mrs-package-'));
    folders.push(folder);
    const started = new Packager({ ffmpegPath: undefined }).package(
      { source, folder },
      { signal: new AbortController().signal, onProgress: () => undefined },
    );
    await expect(started).rejects.toMatchObject({
      name: 'UnplayableMediaError',
      message: expect.stringMatching(/^The file is longer than 4\.\d hours, the limit for 6\d KB of data\.$/),
    });
  });

  LINUX.it('gives up on a file that crashes its process twice', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mrs-package-'));
    folders.push(folder);
    const signal = new AbortController().signal;
    const crashed = new Set<number>();
    const onProgress = () =>
      childProcesses('packager.process').forEach(({ id }) => {
        crashed.add(id);
        process.kill(id, 'SIGSEGV');
      });
    const started = new Packager({ ffmpegPath: undefined }).package(
      { source: join(sources(), 'paused.webm'), folder },
      { signal, onProgress },
    );
    await expect(started).rejects.toMatchObject({
      name: 'UnplayableMediaError',
      message: 'The file is damaged: it crashes the decoder (SIGSEGV).',
    });
    expect(crashed.size).toBeGreaterThan(1);
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
    await expect(new Packager({ ffmpegPath: program }).package(request, options)).rejects.toMatchObject({
      name: 'UnplayableMediaError',
      message: 'The file is damaged: it crashes the decoder (SIGSEGV).',
    });
  });
});
