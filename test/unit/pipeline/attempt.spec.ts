import { describe, expect, it } from '@jest/globals';
import {
  Attempt,
  RefusedError,
  type Step,
  SupersededError,
} from '../../../src/modules/pipeline/public/steps.js';
import { runAttempt } from '../../../src/modules/pipeline/step-jobs.service.js';
import type { AppLogger } from '../../../src/platform/logging/app-logger.js';

const job = { recordingId: 'r1' };

class Unplayable extends Error {}

/** Runs an attempt; `calls` lists what happened, in order. */
async function run(
  work: Step<typeof job>['run'],
  { stop = new AbortController().signal, isCurrent = true } = {},
): Promise<{ calls: string[]; progress: (number | null)[] }> {
  const calls: string[] = [];
  const progress: (number | null)[] = [];
  const logger = { warn: (_: object, message: string) => void calls.push(`log: ${message}`) };
  const step: Step<typeof job> = {
    begin: async (payload) => payload,
    run: work,
    isCurrent: async (attempt) => {
      progress.push(attempt.progress);
      return isCurrent;
    },
    refusalOf: (error) => (error instanceof Unplayable ? error.message : null),
    fail: async (_, reason) => void calls.push(`fail: ${reason}`),
    again: async ({ hasGivenWay }) => void calls.push(hasGivenWay ? 'again, later' : 'again'),
    giveUp: async () => void calls.push('give up'),
  };
  const attempt = new Attempt('package', job, { id: '1', priority: 0 }, stop);
  await runAttempt(step, attempt, logger as unknown as AppLogger).catch((error: Error) => {
    calls.push(`throws: ${error.message}`);
  });
  return { calls, progress };
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

describe('an attempt of a job', () => {
  it('ends when its work is done', async () => {
    expect((await run(async () => {})).calls).toEqual([]);
  });

  it('records and logs a refusal', async () => {
    const expected = ['log: packaging: refused', 'fail: No data'];
    expect((await run(() => Promise.reject(new Unplayable('No data')))).calls).toEqual(expected);
    expect((await run(() => Promise.reject(new RefusedError('No data')))).calls).toEqual(expected);
  });

  it('leaves any other error to the queue, which retries', async () => {
    const { calls } = await run(() => Promise.reject(new Error('connection lost')));
    expect(calls).toEqual(['throws: connection lost']);
  });

  it('is enqueued again when the process stops, whatever the work then throws', async () => {
    const stop = AbortSignal.abort();
    expect((await run(() => Promise.reject(new Unplayable('No data')), { stop })).calls).toEqual(['again']);
  });

  it('is enqueued again when it gives way to others', async () => {
    const { calls } = await run((attempt) => {
      attempt.giveWay(new Error('others wait'));
      return untilAborted(attempt.signal);
    });
    expect(calls).toEqual(['again, later']);
  });

  it('ends silently when superseded before it could publish', async () => {
    expect((await run(() => Promise.reject(new SupersededError()))).calls).toEqual([]);
  });

  it('reports its progress, and is silently aborted once it is no longer current', async () => {
    const work: Step<typeof job>['run'] = (attempt) => {
      attempt.progress = 0.25;
      return untilAborted(attempt.signal);
    };
    expect(await run(work, { isCurrent: false })).toEqual({ calls: [], progress: [0.25] });
  });
});
