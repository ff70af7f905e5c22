import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runChild, type ChildLimits } from '../../src/lib/media-engine/process/packager-child.js';
import { ENDED_BY_HANG } from '../../src/lib/media-engine/process/watched-process.js';
import { StallWatch } from '../../src/lib/processes/stall-watch.js';
import { childProcesses, makeMedia } from '../support/media.js';
import { turned } from '../support/packaged.js';
import { LINUX } from '../support/requirements.js';

let sources: string;

beforeAll(async () => {
  sources = await makeMedia();
}, 60_000);
afterAll(() => rm(sources, { recursive: true, force: true }));

async function work(source: string, limits: ChildLimits, onProgress: () => void = () => undefined) {
  const folder = await mkdtemp(join(sources, 'package-'));
  return runChild(
    { task: 'package', source: join(sources, source), folder },
    { signal: new AbortController().signal, onProgress },
    limits,
  );
}

describe('a packager process', () => {
  it('is not killed because its parent was busy for longer than every limit', async () => {
    let blocked = false;
    const result = await work('live.webm', { hangSeconds: 20, stallMs: 4_000 }, () => {
      if (!blocked) block(4_500);
      blocked = true;
    });
    expect(blocked).toBe(true);
    expect(result.kind).toBe('package');
  });

  it('fails with damaged media when it was ended because it computes forever', async () => {
    const end = () => childProcesses('packager.process').forEach(({ id }) => process.kill(id, ENDED_BY_HANG));
    await expect(work('paused.webm', { hangSeconds: 20 }, end)).rejects.toMatchObject({
      name: 'UnplayableMediaError',
      message: 'The file is damaged: reading it never finishes.',
    });
    expect(childProcesses('packager.process')).toEqual([]);
  });

  it('is ended when it computes forever', async () => {
    const watched = new URL('../../dist/src/lib/media-engine/process/watched-process.js', import.meta.url);
    const script = `import('${watched.href}').then(({ watchProcess }) => {
      watchProcess(0.5);
      setTimeout(() => { for (;;); }, 1_000);
    });`;
    const ended = promisify(execFile)(process.execPath, ['--eval', script]);
    await expect(ended).rejects.toMatchObject({ signal: ENDED_BY_HANG });
  });

  it('fails permanently when the file exceeds the CPU time limit', async () => {
    await writeFile(join(sources, 'turned.mp4'), turned(await readFile('demo/media/product-weekly.mp4')));
    await expect(work('turned.mp4', { hangSeconds: 20, cpuShare: 1e-6 })).rejects.toMatchObject({
      name: 'UnplayableMediaError',
      message: expect.stringMatching(/^Processing the file takes more than \d s of CPU time, the limit for /),
    });
    expect(childProcesses('packager.process')).toEqual([]);
  });

  LINUX.it('that hangs is worth a retry', async () => {
    const stop = () => childProcesses('packager.process').forEach(({ id }) => process.kill(id, 'SIGSTOP'));
    await expect(work('paused.webm', { hangSeconds: 1, stallMs: 500 }, stop)).rejects.toMatchObject({
      name: 'Error',
      message: 'the packager stopped making progress',
    });
    expect(childProcesses('packager.process')).toEqual([]);
  });
});

describe('a stall watchdog', () => {
  it('handles messages that arrived while the process was suspended before it gives up', async () => {
    const watch = new StallWatch(() => undefined, 100);
    setImmediate(() => watch.alive());
    block(500);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(watch.stalled).toBe(false);
    watch.stop();
  });

  it('gives up on a silent process', async () => {
    await new Promise<void>((resolve) => new StallWatch(resolve, 50));
  });
});

/** As another job of the same worker might. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
