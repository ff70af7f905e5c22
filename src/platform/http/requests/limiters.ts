import cluster from 'node:cluster';
import {
  RateLimiterCluster,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  type RateLimiterLike,
} from 'rate-limiter-flexible';
import type { DataSource } from 'typeorm';
import { clientOf } from '../../database/prepared-query.js';
import { PlatformError } from '../../errors/platform-error.js';

/** Counts up to `points` for each key. */
export interface Limiter {
  readonly points: number;
  /** Rejects with the same when no point is left. */
  consume(key: string): Promise<RateLimiterRes>;
}

interface Limit {
  readonly keyPrefix: string;
  readonly points: number;
  /** Seconds from the first point on. */
  readonly duration: number;
}

interface SharedLimit extends Limit {
  /** Spent keys are refused without the database. Not for limits that give points back. */
  readonly inMemoryBlockOnConsumed?: number;
  /** Counts while the database cannot; without it, `consume` fails. */
  readonly insuranceLimiter?: RateLimiterLike;
}

/** A limit over all processes: where guessing is limited. The library deletes expired rows every five minutes. */
export const sharedLimiter = (dataSource: DataSource, limit: SharedLimit): RateLimiterPostgres =>
  new RateLimiterPostgres({
    storeClient: clientOf(dataSource),
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    ...limit,
  });

/** Longer than a busy machine delays the primary process; requests wait for it. */
const ANSWER_MS = 1_000;

/** A limit over all API processes, counted by their primary one; by itself, while there is none or no answer. */
export function clusterLimiter(limit: Limit): Limiter {
  const own = new RateLimiterMemory(limit);
  if (!cluster.isWorker) return own;
  const counted = new RateLimiterCluster({ ...limit, timeoutMs: ANSWER_MS });
  const leases = new PointLeases(limit.points, (key, points) => counted.consume(key, points));
  return {
    points: limit.points,
    consume: (key) =>
      leases.consume(key).catch((reason: unknown) => {
        if (reason instanceof RateLimiterRes) throw reason;
        return own.consume(key);
      }),
  };
}

/** Consumes one point of `key`, or replies 429 with `Retry-After`. `show` gets what is left in either case. */
export async function takePoint(
  limiter: Pick<Limiter, 'consume'>,
  key: string,
  message: string,
  show?: (left: number, seconds: number) => void,
): Promise<void> {
  const [taken, result] = await limiter.consume(key).then(
    (left) => [true, left] as const,
    (refusal: unknown) => [false, refusal] as const,
  );
  if (!(result instanceof RateLimiterRes)) throw result;
  const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
  show?.(result.remainingPoints, seconds);
  if (!taken)
    throw new PlatformError('RATE_LIMITED', message, { headers: { 'Retry-After': String(seconds) } });
}

/** The part of a limit that a process takes at a time, as long as ten times as much is left. */
const PART = 1 / 100;
const PLENTY = 10;
/** Points taken ahead for other keys are forgotten then, which refuses their requests a little early. */
const MAX_KEYS = 10_000;

interface Lease {
  /** Points that have been taken and not used. */
  left: number;
  /** Points that nobody has taken. */
  remaining: number;
  /** When all points are back, by `performance.now()`. */
  endsAt: number;
  /** Whether more are being taken. */
  isGrowing: boolean;
}

/**
 * Takes points of a limit that another process counts, a hundredth of it at a time: to ask for each point costs a
 * request a tenth of its time. Never allows more than the limit; near its end, a process may refuse what others have
 * taken and not used, at most a hundredth each. Limits below 200 are exact.
 */
export class PointLeases {
  private readonly batch: number;
  private readonly leases = new Map<string, Lease>();

  /** `take` rejects with the same when there are not as many points left. */
  constructor(
    points: number,
    private readonly take: (key: string, points: number) => Promise<RateLimiterRes>,
  ) {
    this.batch = Math.max(1, Math.floor(points * PART));
  }

  async consume(key: string): Promise<RateLimiterRes> {
    const now = performance.now();
    const lease = this.leases.get(key);
    if (!lease || lease.endsAt <= now) {
      this.leases.delete(key);
      return this.grow(key, 1);
    }
    if (lease.left > 0) {
      lease.left -= 1;
      return new RateLimiterRes(lease.remaining + lease.left, lease.endsAt - now);
    }
    if (lease.isGrowing || lease.remaining < PLENTY * this.batch) return this.grow(key, 1);
    // Those who come meanwhile take one each.
    lease.isGrowing = true;
    try {
      return await this.grow(key, this.batch);
    } finally {
      lease.isGrowing = false;
    }
  }

  /** Takes points, one of them for the request. */
  private async grow(key: string, points: number): Promise<RateLimiterRes> {
    const { remainingPoints: remaining, msBeforeNext } = await this.take(key, points);
    if (this.leases.size >= MAX_KEYS) this.leases.clear();
    const lease = this.leases.get(key) ?? { left: 0, remaining, endsAt: 0, isGrowing: false };
    lease.left += points - 1;
    lease.remaining = remaining;
    lease.endsAt = performance.now() + msBeforeNext;
    this.leases.set(key, lease);
    return new RateLimiterRes(remaining + lease.left, msBeforeNext);
  }
}
