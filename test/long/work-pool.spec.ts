import { afterAll, expect, it } from '@jest/globals';
import { WorkPool } from '../../src/platform/work/work-pool.service.js';

const TASK = { module: new URL('../support/thread-tasks.mjs', import.meta.url).href };
const CALLERS = ['ada', 'bob', 'cleo', 'dan'];

const pool = new WorkPool({ workerConcurrency: CALLERS.length, chat: null });
afterAll(() => pool.onApplicationShutdown());

it('survives 2,000 tasks that are cancelled while their threads start and load them', async () => {
  const cancelNext = async (caller: string): Promise<void> => {
    for (let turn = 0; turn < 500; turn += 1) {
      const signal = AbortSignal.timeout(1 + ((turn * 7) % 120));
      const cancelled = pool.run(TASK, { spin: 600_000 }, { caller, seconds: 60, signal });
      await expect(cancelled).rejects.toThrow('timeout');
    }
  };
  await Promise.all(CALLERS.map(cancelNext));
  await expect(pool.run(TASK, { answer: 'next' }, { caller: 'ada', seconds: 60 })).resolves.toBe('next');
});
