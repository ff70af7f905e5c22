import { describe, expect, it } from '@jest/globals';
import { FairQueue } from '../../src/platform/work/fair-queue.js';

/** Work that a test ends, and a record of what has started. */
function workbench(queue: FairQueue) {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  return {
    started,
    order: (key: string, name = key, signal?: AbortSignal) =>
      queue.run(
        key,
        () => {
          started.push(name);
          return new Promise<string>((resolve) => ends.push(() => resolve(name)));
        },
        { signal },
      ),
    endOne: async () => {
      ends.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

const BUSY = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '2' } });

describe('FairQueue', () => {
  it('lets callers take turns, however much one of them asks for', async () => {
    const { started, order, endOne } = workbench(new FairQueue({ atOnce: 1, waiting: 100, waitingEach: 50 }));
    const greedy = Array.from({ length: 20 }, (_, index) => order('greedy', `greedy ${index}`));
    const others = [order('ada'), order('bob'), order('ada', 'ada again')];
    for (let index = 0; index < 23; index += 1) await endOne();
    await Promise.all([...greedy, ...others]);
    expect(started.slice(0, 7)).toEqual([
      'greedy 0',
      'greedy 1',
      'ada',
      'bob',
      'greedy 2',
      'ada again',
      'greedy 3',
    ]);
    expect(started).toHaveLength(23);
  });

  it('keeps places free of a caller that has its share', async () => {
    const { started, order, endOne } = workbench(
      new FairQueue({ atOnce: 2, atOnceEach: 1, waiting: 100, waitingEach: 50 }),
    );
    const all = [order('greedy'), order('greedy', 'greedy later'), order('ada')];
    expect(started).toEqual(['greedy', 'ada']);
    for (let index = 0; index < 3; index += 1) await endOne();
    await Promise.all(all);
    expect(started).toEqual(['greedy', 'ada', 'greedy later']);
  });

  it('refuses what goes beyond the bound of one caller, and of all', async () => {
    const { order, endOne } = workbench(new FairQueue({ atOnce: 1, waiting: 3, waitingEach: 2 }));
    const accepted = [order('greedy'), order('greedy'), order('greedy')];
    await expect(order('greedy')).rejects.toEqual(BUSY);
    accepted.push(order('ada'));
    await expect(order('bob')).rejects.toEqual(BUSY);
    await endOne();
    accepted.push(order('bob'));
    for (let index = 0; index < 5; index += 1) await endOne();
    await expect(Promise.all(accepted)).resolves.toHaveLength(5);
  });

  it('never refuses what goes on with something that has begun', async () => {
    const queue = new FairQueue({ atOnce: 1, waiting: 0, waitingEach: 0 });
    const { order, endOne } = workbench(queue);
    const first = order('ada');
    await expect(order('ada')).rejects.toEqual(BUSY);
    const second = queue.run('ada', () => Promise.resolve('went on'), { accepted: true });
    await endOne();
    await expect(Promise.all([first, second])).resolves.toEqual(['ada', 'went on']);
  });

  it('begins the next one after the time of a turn, and counts each turn once', async () => {
    const queue = new FairQueue({ atOnce: 1, waiting: 5, waitingEach: 5 });
    let end = (): void => undefined;
    const long = queue.run('ada', () => new Promise<void>((resolve) => (end = resolve)), { turnMs: 20 });
    await expect(queue.run('ada', () => Promise.resolve('meanwhile'))).resolves.toBe('meanwhile');
    end();
    await long;
    const { started, order, endOne } = workbench(queue);
    const both = [order('ada', 'one'), order('ada', 'two')];
    expect(started).toEqual(['one']);
    await endOne();
    await endOne();
    await Promise.all(both);
  });

  it('forgets those who give up, and goes on after work that failed', async () => {
    const queue = new FairQueue({ atOnce: 1, waiting: 2, waitingEach: 2 });
    const { started, order, endOne } = workbench(queue);
    const first = order('ada');
    const gone = new AbortController();
    const given = order('ada', 'given up', gone.signal);
    const failing = queue.run('bob', () => Promise.reject(new Error('it failed')));
    const reason = new Error('gone');
    gone.abort(reason);
    await expect(given).rejects.toBe(reason);
    await endOne();
    await first;
    await expect(failing).rejects.toThrow('it failed');
    const last = order('ada', 'last');
    await endOne();
    await expect(last).resolves.toBe('last');
    expect(started).toEqual(['ada', 'last']);
  });
});
