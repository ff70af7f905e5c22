import { describe, expect, it } from '@jest/globals';
import { runAttempt, SupersededError, type Attempt } from '../../src/platform/jobs/attempt.js';
import type { AppLogger } from '../../src/platform/logging/app-logger.js';

class Refused extends Error {}

/** Runs an attempt; `calls` lists what happened, in order. */
async function run(
  work: Attempt['work'],
  { stop = new AbortController().signal, isCurrent = true } = {},
): Promise<{ calls: string[]; progress: (number | null)[] }> {
  const calls: string[] = [];
  const progress: (number | null)[] = [];
  const logger = { warn: (_: object, message: string) => void calls.push(`log: ${message}`) };
  const attempt: Attempt = {
    name: 'export',
    ids: { reportId: 'r1' },
    isCurrent: async (latest) => {
      progress.push(latest);
      return isCurrent;
    },
    work,
    refusal: (error) => (error instanceof Refused ? error.message : null),
    fail: async (reason) => void calls.push(`fail: ${reason}`),
    again: async () => void calls.push('again'),
  };
  await runAttempt(attempt, stop, logger as unknown as AppLogger).catch((error: Error) => {
    calls.push(`throws: ${error.message}`);
  });
  return { calls, progress };
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

describe('an attempt of a job', () => {
  it('ends when its work is done', async () => {
    expect((await run(async () => {})).calls).toEqual([]);
  });

  it('records and logs a refusal', async () => {
    const { calls } = await run(() => Promise.reject(new Refused('No data')));
    expect(calls).toEqual(['log: export: refused', 'fail: No data']);
  });

  it('leaves any other error to the queue, which retries', async () => {
    const { calls } = await run(() => Promise.reject(new Error('connection lost')));
    expect(calls).toEqual(['throws: connection lost']);
  });

  it('is enqueued again when the process stops, whatever the work then throws', async () => {
    const stop = AbortSignal.abort();
    expect((await run(() => Promise.reject(new Refused('No data')), { stop })).calls).toEqual(['again']);
  });

  it('ends silently when superseded before it could publish', async () => {
    expect((await run(() => Promise.reject(new SupersededError()))).calls).toEqual([]);
  });

  it('reports its progress, and is silently aborted once it is no longer current', async () => {
    const work: Attempt['work'] = ({ signal, report }) => {
      report(0.25);
      return untilAborted(signal);
    };
    expect(await run(work, { isCurrent: false })).toEqual({ calls: [], progress: [0.25] });
  });
});
