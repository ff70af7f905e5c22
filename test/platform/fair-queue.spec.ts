import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FairQueue } from '../../src/platform/work/fair-queue.js';

/** Jobs that finish when the test says so, and a record of those started. */
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
  it('lets callers take turns, however many jobs one of them submits', async () => {
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

  it('gives a free slot to another caller when one is at its limit', async () => {
    const { started, order, endOne } = workbench(
      new FairQueue({ atOnce: 2, atOnceEach: 1, waiting: 100, waitingEach: 50 }),
    );
    const all = [order('greedy'), order('greedy', 'greedy later'), order('ada')];
    expect(started).toEqual(['greedy', 'ada']);
    for (let index = 0; index < 3; index += 1) await endOne();
    await Promise.all(all);
    expect(started).toEqual(['greedy', 'ada', 'greedy later']);
  });

  describe('with callers whose tasks are expensive', () => {
    const limits = { atOnce: 10, atOnceEach: 2, atOnceIfExpensive: 1, waiting: 100, waitingEach: 50 };
    /** A task that takes as long as some work with the database. */
    const slow = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 200));

    it('runs fewer of them at once, and the others first, while there are others', async () => {
      const queue = new FairQueue(limits);
      await queue.run('greedy', slow);
      const { started, order, endOne } = workbench(queue);
      const alone = [order('greedy', 'one'), order('greedy', 'two')];
      expect(started).toEqual(['one', 'two']);
      const ada = [order('ada', 'cheap'), order('ada', 'cheap too')];
      const later = order('greedy', 'three');
      expect(started).toEqual(['one', 'two', 'cheap', 'cheap too']);
      await endOne();
      expect(started).toHaveLength(4);
      await endOne();
      expect(started).toEqual(['one', 'two', 'cheap', 'cheap too', 'three']);
      for (let index = 0; index < 3; index += 1) await endOne();
      await Promise.all([...alone, ...ada, later]);
    });

    it('counts no task that waits, and none that was long ago', async () => {
      const queue = new FairQueue(limits);
      await queue.run('greedy', slow, { waits: true });
      queue.present('ada');
      const { started, order, endOne } = workbench(queue);
      const both = [order('greedy', 'one'), order('greedy', 'two')];
      expect(started).toEqual(['one', 'two']);
      await endOne();
      await endOne();
      await Promise.all(both);
      await queue.run('greedy', slow);
      for (let task = 0; task < 50; task += 1) await queue.run('greedy', () => Promise.resolve());
      const again = [order('greedy', 'three'), order('greedy', 'four')];
      expect(started.slice(2)).toEqual(['three', 'four']);
      await endOne();
      await endOne();
      await Promise.all(again);
    });
  });

  describe('with callers whose tasks are cheap', () => {
    const limits = { atOnce: 100, atOnceEach: 2, atOnceIfCheap: 4, waiting: 100, waitingEach: 50 };
    let now = 0;
    const taking = (ms: number) => async (): Promise<void> => {
      now += ms;
    };

    beforeEach(() => {
      now = 0;
      jest.spyOn(performance, 'now').mockImplementation(() => now);
    });

    afterEach(() => {
      jest.restoreAllMocks();
    });

    /** Ada's tasks that start at once, after some that took these times, while Bob has work. */
    async function startedAfter(...times: readonly number[]): Promise<string[]> {
      const queue = new FairQueue(limits);
      for (const ms of times) await queue.run('ada', taking(ms));
      queue.present('bob');
      return startedAtOnce(queue, 5);
    }

    async function startedAtOnce(queue: FairQueue, tasks: number, key = 'ada'): Promise<string[]> {
      const { started, order, endOne } = workbench(queue);
      const all = Array.from({ length: tasks }, (_, index) => order(key, `task ${index}`));
      const atOnce = [...started];
      for (let task = 0; task < tasks; task += 1) await endOne();
      await Promise.all(all);
      return atOnce;
    }

    it('runs more of them at once, also while there are others', async () => {
      await expect(startedAfter()).resolves.toHaveLength(2);
      await expect(startedAfter(1)).resolves.toHaveLength(4);
      // What a page of a list takes on a slow machine.
      await expect(startedAfter(3, 8, 8)).resolves.toHaveLength(4);
    });

    it('runs fewer after one that was not cheap, until many cheap ones have followed', async () => {
      await expect(startedAfter(1, 30)).resolves.toHaveLength(2);
      await expect(startedAfter(1, 30, 1, 1, 1)).resolves.toHaveLength(2);
      await expect(startedAfter(1, 30, ...Array<number>(40).fill(1))).resolves.toHaveLength(4);
    });

    it('counts what a task costs, not how long it takes because of others', async () => {
      const queue = new FairQueue({
        ...limits,
        atOnce: 120,
        atOnceEach: 100,
        atOnceIfCheap: 120,
        waitingEach: 100,
      });
      await queue.run('ada', taking(11));
      await expect(startedAtOnce(queue, 130)).resolves.toHaveLength(100);
      const ends: (() => void)[] = [];
      const together = Array.from({ length: 100 }, () =>
        queue.run('bob', () => new Promise<void>((resolve) => ends.push(resolve))),
      );
      now += 11;
      for (const end of ends) end();
      await Promise.all(together);
      await expect(startedAtOnce(queue, 130, 'bob')).resolves.toHaveLength(120);
    });
  });

  it('rejects work beyond the limit per caller and in total', async () => {
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

  it('never rejects the continuation of accepted work', async () => {
    const queue = new FairQueue({ atOnce: 1, waiting: 0, waitingEach: 0 });
    const { order, endOne } = workbench(queue);
    const first = order('ada');
    await expect(order('ada')).rejects.toEqual(BUSY);
    const second = queue.run('ada', () => Promise.resolve('went on'), { accepted: true });
    await endOne();
    await expect(Promise.all([first, second])).resolves.toEqual(['ada', 'went on']);
  });

  it('starts the next job when a turn times out, and counts each turn once', async () => {
    const queue = new FairQueue({ atOnce: 1, waiting: 5, waitingEach: 5 });
    let end = (): void => undefined;
    const long = queue.run('ada', () => new Promise<void>((resolve) => (end = resolve)), { slotMs: 20 });
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

  it('drops aborted callers and continues after failed work', async () => {
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
