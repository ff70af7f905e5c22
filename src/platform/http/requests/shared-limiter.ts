import { RateLimiterPostgres, RateLimiterRes, type RateLimiterLike } from 'rate-limiter-flexible';
import type { DataSource } from 'typeorm';
import { PlatformError } from '../../errors/platform-error.js';

/** Counts up to `points` for each key. */
export interface Limiter {
  readonly points: number;
  /** Rejects with the same when no point is left. */
  consume(key: string): Promise<RateLimiterRes>;
}

export interface Limit {
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
    storeClient: dataSource,
    storeType: 'typeorm',
    tableName: 'rate_limits',
    tableCreated: true,
    ...limit,
  });

/**
 * Consumes one point of `key`, or replies 429 with the number of seconds until one is available. `show` gets what is
 * left in either case.
 */
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
