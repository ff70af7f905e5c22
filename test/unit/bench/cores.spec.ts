import { availableParallelism } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { resultOf, scalingOf } from '../../../bench/cores/result.js';

interface Usage {
  readonly api: number | null;
  readonly primary: number | null;
  readonly postgres: number | null;
  readonly load: number | null;
  readonly idle: number | null;
}

const UNKNOWN: Usage = { api: null, primary: null, postgres: null, load: null, idle: null };

/** A second of 1,000 requests; `shares` of the whole machine. */
function result(processes: number, shares: Usage) {
  const machine = 1_000_000 * availableParallelism();
  const times = Object.entries(shares).map(([group, share]: [string, number | null]) => [
    group,
    share === null ? null : share * machine,
  ]);
  const taken = [{ count: 1_000, rps: 1_000 * processes, ms: 1_000, ...Object.fromEntries(times) }];
  return resultOf({ name: 'list', processes, taken });
}

describe('npm run bench -- cores', () => {
  const oneCore = 1 / availableParallelism();

  it('says what was limited: the machine, other processes on it, or the API', () => {
    const busy = { primary: 0, load: 0 };
    expect(result(2, { ...busy, api: 0.6, postgres: 0.36, idle: 0.04 })).toMatchObject({
      limitedBy: 'the machine',
      shares: { api: 0.6, postgres: 0.36, others: 0, idle: 0.04 },
    });
    expect(result(2, { ...busy, api: 0.3, postgres: 0.2, idle: 0 })).toMatchObject({
      limitedBy: 'other processes',
      shares: { others: 0.5 },
    });
    const alone = { ...busy, api: oneCore * 0.95, postgres: 0, idle: 1 - oneCore * 0.95 };
    if (availableParallelism() > 1) expect(result(1, alone)).toMatchObject({ limitedBy: 'the API' });
    expect(result(1, { ...busy, api: 0.1, postgres: 0.1, idle: 0.8 })).toMatchObject({
      limitedBy: 'waiting',
    });
  });

  it('compares the CPU time of a request with that of one process', () => {
    const shares = { primary: 0, postgres: 0, load: 0, idle: 0 };
    const one = result(1, { ...shares, api: 0.2 });
    expect(scalingOf(one, result(2, { ...shares, api: 0.22 }))).toMatchObject({
      measured: 2,
      possible: 1.82,
      met: true,
    });
    expect(scalingOf(one, result(2, { ...shares, api: 0.25 }))).toMatchObject({ possible: 1.6, met: false });
    expect(scalingOf(one, result(4, { ...shares, api: 0.4 }))).toMatchObject({ possible: 2, met: null });
  });

  it('judges nothing where the kernel does not say what was used', () => {
    const [one, two] = [result(1, UNKNOWN), result(2, UNKNOWN)];
    expect(two).toMatchObject({ cpu: null, shares: null, limitedBy: null });
    expect(scalingOf(one, two)).toMatchObject({ measured: 2, possible: null, met: null });
  });
});
