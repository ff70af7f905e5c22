import { afterAll, describe, expect, it } from '@jest/globals';
import { WorkLimitError, WorkPool } from '../../src/platform/work/work-pool.service.js';

interface Asked {
  readonly spin?: number;
  readonly hoard?: boolean;
  readonly fail?: string;
  readonly answer?: unknown;
  /** Returns the stack while the module was evaluated. */
  readonly stack?: boolean;
}

const TASK = { module: new URL('../support/thread-tasks.mjs', import.meta.url).href };

describe('WorkPool', () => {
  const pool = new WorkPool({ workerConcurrency: 2, chat: null });
  afterAll(() => pool.onApplicationShutdown());

  const run = (asked: Asked, options: { caller?: string; seconds?: number; signal?: AbortSignal } = {}) =>
    pool.run<Asked, unknown>(TASK, asked, { caller: 'ada', seconds: 60, ...options });

  it('returns what a task returns, and throws what it throws', async () => {
    await expect(run({ answer: { of: [1, 2] } })).resolves.toEqual({ of: [1, 2] });
    await expect(run({ fail: 'it failed' })).rejects.toThrow('it failed');
  });

  it('terminates tasks that take too long, and continues', async () => {
    await expect(run({ spin: 600_000 }, { seconds: 0.3 })).rejects.toEqual(new WorkLimitError('time'));
    await expect(run({ answer: 'next' })).resolves.toBe('next');
  });

  it('terminates tasks that take too much memory, and continues', async () => {
    await expect(run({ hoard: true })).rejects.toEqual(new WorkLimitError('memory'));
    await expect(run({ answer: 'next' })).resolves.toBe('next');
  });

  it('terminates a task when its signal aborts', async () => {
    const gone = new AbortController();
    const running = run({ spin: 600_000 }, { signal: gone.signal });
    const reason = new Error('gone');
    setTimeout(() => gone.abort(reason), 50);
    await expect(running).rejects.toBe(reason);
    await expect(run({}, { signal: gone.signal })).rejects.toBe(reason);
  });

  // Node 20 aborts the process if a thread is terminated within the require() of an ES module: test/long/work-pool.spec.ts.
  it('loads tasks by import(), never by require()', async () => {
    const stack = String(await run({ stack: true }));
    expect(stack).toContain('thread-tasks.mjs');
    expect(stack).not.toContain('cjs/loader');
  });

  it('has a thread for one caller while another uses as many as allowed', async () => {
    const stop = new AbortController();
    const greedy = Array.from({ length: 10 }, () =>
      run({ spin: 600_000 }, { caller: 'greedy', signal: stop.signal }),
    );
    await expect(run({ answer: 'soon' }, { caller: 'bob' })).resolves.toBe('soon');
    stop.abort(new Error('enough'));
    for (const one of greedy) await expect(one).rejects.toThrow('enough');
  });
});
