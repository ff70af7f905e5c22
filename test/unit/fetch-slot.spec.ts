import { expect, it } from '@jest/globals';
import { FetchLimits } from '../../src/modules/fetching/fetch-limits.js';
import { FetchSlot } from '../../src/modules/fetching/fetch-slot.js';
import type { FetchJob } from '../../src/modules/uploads/upload-sources.service.js';

const LIMITS = Object.assign(new FetchLimits(), { turnMs: 20, longTurnMs: 100, checkMs: 5 });
const CHOSEN = { id: '1', runAt: new Date(), priority: 3 } as never;

/** A fetch that others wait for: how long its turn is, and how it goes on. */
async function turnOf(job: FetchJob, resumable: boolean) {
  const options = { job, chosen: CHOSEN, limits: LIMITS, isOutranked: async () => true };
  const slot = new FetchSlot({ ...options, onError: () => undefined });
  slot.resumable = resumable;
  const startedAt = performance.now();
  await new Promise((resolve) => slot.signal.addEventListener('abort', resolve));
  return { ms: performance.now() - startedAt, next: slot.afterRelease };
}

it.each<[string, FetchJob, boolean, number, FetchJob]>([
  ['goes on as it was', { recordingId: 'a' }, true, 20, { recordingId: 'a' }],
  ['gets a long turn to start over', { recordingId: 'a' }, false, 20, { recordingId: 'a', longTurns: 0 }],
  ['gets twice the time', { recordingId: 'a', longTurns: 1 }, false, 200, { recordingId: 'a', longTurns: 2 }],
])('a fetch that gives way %s', async (_what, job, resumable, leastMs, next) => {
  const turn = await turnOf(job, resumable);
  expect(turn.next).toMatchObject({ job: next });
  expect(turn.next?.priority).toBeGreaterThan(3);
  expect(turn.ms).toBeGreaterThanOrEqual(leastMs - 1);
});
