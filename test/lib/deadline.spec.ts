import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Deadline } from '../../src/lib/deadline.js';
import { collectGarbageOften } from '../support/garbage.js';

const aborted = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => {
    signal.addEventListener('abort', () => resolve(signal.reason), { once: true });
  });

describe('a limit on time', () => {
  let stop: () => void;
  beforeEach(() => {
    stop = collectGarbageOften();
  });
  afterEach(() => stop());

  it('ends work although memory is reclaimed meanwhile, also within another limit', async () => {
    using outer = new Deadline(500, new AbortController().signal);
    using inner = new Deadline(60_000, outer.signal);
    expect(await aborted(inner.signal)).toMatchObject({ name: 'TimeoutError' });
    expect([outer.isOver, inner.isOver]).toEqual([true, false]);
  });

  it('ends with the reason of the signal, also of one that has aborted before', async () => {
    const reason = new Error('the caller has gone');
    const caller = new AbortController();
    using limit = new Deadline(60_000, caller.signal);
    caller.abort(reason);
    using late = new Deadline(60_000, caller.signal);
    expect([limit.signal.reason, late.signal.reason]).toEqual([reason, reason]);
    expect([limit.isOver, late.isOver]).toEqual([false, false]);
  });

  it('is over with the work', async () => {
    const caller = new AbortController();
    let signal: AbortSignal;
    {
      using limit = new Deadline(50, caller.signal);
      signal = limit.signal;
    }
    await sleep(100);
    caller.abort();
    expect(signal.aborted).toBe(false);
  });
});
