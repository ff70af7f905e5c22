import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect } from '@jest/globals';
import { packageMedia } from '../../src/lib/media-engine/media-engine.js';
import { childProcesses } from '../support/media.js';
import { keepsPackagerContract } from '../support/packager-contract.js';
import { LINUX } from '../support/requirements.js';

/** One of each kind; `formats.spec.ts` has formats. `test/long/packagers.spec.ts` has all files, and FFmpeg. */
const SOME = new Set(['rotated.mp4', 'cut.webm', 'text.mp4', 'an MP4 of 27 days']);

describe('packager with the library', () => {
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

  const sources = keepsPackagerContract(undefined, { only: SOME });

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
    const started = packageMedia({ source: join(sources(), 'paused.webm'), folder }, { signal, onProgress });
    await expect(started).rejects.toMatchObject({
      name: 'UnplayableMediaError',
      message: 'The file is damaged: it crashes the decoder (SIGSEGV).',
    });
    expect(crashed.size).toBeGreaterThan(1);
  });
});
