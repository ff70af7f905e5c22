import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../factories/workspace.js';
import type { Client } from '../support/client.js';
import { processRuns } from '../support/process.js';
import { LINUX } from '../support/requirements.js';
import { eventually, startService, type TestService, type WorkerProcess } from '../support/service.js';
import { repeatedSpeech, wordsOf } from '../support/speech.js';

const SECONDS = 72;
/** For a busy machine: speech is recognized at the lowest priority. */
const WITHIN_MS = 240_000;
const TEST_MS = 2 * WITHIN_MS;

interface Segment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

LINUX.describe('a transcription', () => {
  let service: TestService;
  let ada: Client;
  let path: string;
  let worker: WorkerProcess;
  let undisturbed: readonly Segment[];

  beforeAll(async () => {
    service = await startService({ SPEECH_THREADS: '2' });
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
    const made = recording('Ada', { media: 'long.mp4' });
    const media = await repeatedSpeech(SECONDS, 'two-people.flac', 'about-speech-sdk.flac', 'jfk.flac');
    await service.import({ recordings: [made] }, { 'long.mp4': media });
    path = `/recordings/${made.id}`;
    worker = await service.startWorker();
    await start();
    undisturbed = await completed();
  }, TEST_MS);
  afterAll(() => service.stop());

  const page = async () => (await ada.get(`${path}/transcript`)).body.data;
  const progress = async (): Promise<number> => (await ada.get(path)).body.data.transcription.progress;
  const start = async (): Promise<void> => {
    expect((await ada.post(`${path}/transcription`)).status).toBe(202);
  };
  const progressed = (least: number): Promise<void> =>
    eventually(async () => expect(await progress()).toBeGreaterThan(least), WITHIN_MS);

  async function completed(): Promise<readonly Segment[]> {
    await eventually(async () => expect((await page()).status).not.toBe('processing'), WITHIN_MS);
    const { status, statusReason, segments } = await page();
    expect({ status, statusReason }).toEqual({ status: 'completed', statusReason: null });
    return segments;
  }

  /** The process that recognizes speech for the worker. */
  function speechProcess(): number {
    const [pid] = childrenOf(worker.pid, 'speech.process') as [number];
    return pid;
  }

  /** The same words at the same times; where it was interrupted, words at the edge may be heard differently. */
  function expectSame(segments: readonly Segment[]): void {
    const [before, after] = [undisturbed, segments];
    for (const [index, { start: begin, end }] of after.entries()) {
      expect(end).toBeGreaterThanOrEqual(begin);
      expect(begin).toBeGreaterThanOrEqual(after[index - 1]?.end ?? 0);
    }
    const missing = (from: readonly Segment[], all: readonly Segment[]): readonly Segment[] =>
      from.filter(
        ({ start: begin, text }) =>
          !all.some((one) => one.text === text && Math.abs(one.start - begin) < 0.2),
      );
    expect(missing(after, before).length).toBeLessThanOrEqual(2);
    expect(missing(before, after).length).toBeLessThanOrEqual(2);
    const [expected, found] = [before, after].map((all) => all.flatMap(({ text }) => wordsOf(text)));
    expect(Math.abs(found!.length - expected!.length)).toBeLessThanOrEqual(3);
  }

  it.each(['SIGKILL', 'SIGSEGV'] as const)(
    'goes on where it was when its process is ended by %s',
    async (signal) => {
      await start();
      await progressed(0.3);
      const before = await page();
      expect(before.status).toBe('processing');
      const reached = await progress();
      process.kill(speechProcess(), signal);
      // What was there stays, and the rest follows.
      const seen: number[] = [];
      await eventually(async () => {
        seen.push(await progress());
        expect((await page()).status).toBe('completed');
      }, WITHIN_MS);
      expect(Math.min(...seen)).toBeGreaterThanOrEqual(reached);
      const segments = await completed();
      expect(segments.slice(0, before.segments.length)).toEqual(before.segments);
      expectSame(segments);
    },
    TEST_MS,
  );

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'goes on where it was in another worker when its own is ended by %s, and leaves no process behind',
    async (signal) => {
      await start();
      await progressed(0.3);
      const before = await page();
      expect(before.status).toBe('processing');
      const reached = await progress();
      const orphan = speechProcess();
      await worker.kill(signal);
      await eventually(async () => expect(processRuns(orphan)).toBe(false), 10_000);
      worker = await service.startWorker();
      const seen: number[] = [];
      await eventually(async () => {
        seen.push(await progress());
        expect((await page()).status).toBe('completed');
      }, WITHIN_MS);
      expect(Math.min(...seen)).toBeGreaterThanOrEqual(reached);
      const segments = await completed();
      expect(segments.slice(0, before.segments.length)).toEqual(before.segments);
      expectSame(segments);
    },
    TEST_MS,
  );

  it(
    'leaves no process behind when its worker is killed while that has nothing to do, or is loading',
    async () => {
      const idle = speechProcess();
      await worker.kill('SIGKILL');
      await eventually(async () => expect(processRuns(idle)).toBe(false), 10_000);
      worker = await service.startWorker();
      await start();
      let loading: number | undefined;
      await eventually(async () => {
        [loading] = childrenOf(worker.pid, 'speech.process');
        expect(loading).toBeDefined();
      }, WITHIN_MS);
      await worker.kill('SIGKILL');
      await eventually(async () => expect(processRuns(loading!)).toBe(false), 20_000);
    },
    TEST_MS,
  );
});

/** Children of a process with this word in their command line. */
function childrenOf(parent: number, word: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const [, of] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
        return Number(of) === parent && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
      } catch {
        // Exited in the meantime.
        return false;
      }
    });
}
