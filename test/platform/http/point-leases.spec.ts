import { describe, expect, it } from '@jest/globals';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { PointLeases } from '../../../src/platform/http/requests/limiters.js';

/** A limit that two processes share, and how often they have asked for points. */
function shared(points: number) {
  const counted = new RateLimiterMemory({ points, duration: 60 });
  let asked = 0;
  const take = (key: string, taken: number): Promise<RateLimiterRes> => {
    asked += 1;
    return counted.consume(key, taken);
  };
  return { processes: [new PointLeases(points, take), new PointLeases(points, take)], asked: () => asked };
}

const consume = (process: PointLeases | undefined, key: string): Promise<RateLimiterRes | null> =>
  process!.consume(key).catch((reason: unknown) => {
    if (reason instanceof RateLimiterRes) return null;
    throw reason;
  });

describe('points taken ahead', () => {
  it.each([1, 20, 199])('allow exactly %d over two processes', async (points) => {
    const { processes } = shared(points);
    let allowed = 0;
    for (let sent = 0; sent < points + 20; sent += 1)
      if (await consume(processes[sent % 2], 'Ada')) allowed += 1;
    expect(allowed).toBe(points);
  });

  it('never allow more than the limit, a hundredth less at most, and are asked for rarely', async () => {
    const { processes, asked } = shared(6_000);
    let allowed = 0;
    for (let sent = 0; sent < 4_000; sent += 1) if (await consume(processes[0], 'Ada')) allowed += 1;
    expect(asked()).toBeLessThan(100);
    for (let sent = 0; sent < 4_000; sent += 1) if (await consume(processes[1], 'Ada')) allowed += 1;
    expect(allowed).toBeLessThanOrEqual(6_000);
    expect(allowed).toBeGreaterThanOrEqual(5_940);
  });

  it('allow no more when many requests come at the same time', async () => {
    const { processes } = shared(1_000);
    const replies = await Promise.all(
      Array.from({ length: 1_500 }, (_, n) => consume(processes[n % 2], 'Ada')),
    );
    const allowed = replies.filter((reply) => reply !== null).length;
    expect(allowed).toBeLessThanOrEqual(1_000);
    expect(allowed).toBeGreaterThanOrEqual(980);
  });

  it('count each key by itself, and say how many are left', async () => {
    const { processes } = shared(1_000);
    expect(await consume(processes[0], 'Ada')).toMatchObject({ remainingPoints: 999 });
    expect(await consume(processes[0], 'Ada')).toMatchObject({ remainingPoints: 998 });
    expect(await consume(processes[0], 'Ada')).toMatchObject({ remainingPoints: 997 });
    expect(await consume(processes[0], 'Grace')).toMatchObject({ remainingPoints: 999 });
  });

  it('are gone when the minute is over', async () => {
    let at = 0;
    const take = (): Promise<RateLimiterRes> => Promise.resolve(new RateLimiterRes(5_000, (at += 1) * -1));
    const process = new PointLeases(6_000, take);
    await process.consume('Ada');
    await process.consume('Ada');
    expect(at).toBe(2);
  });

  it('fail as what counts them does', async () => {
    const process = new PointLeases(6_000, () => Promise.reject(new Error('no answer')));
    await expect(process.consume('Ada')).rejects.toThrow('no answer');
  });
});
