import cluster from 'node:cluster';
import {
  RateLimiterCluster,
  RateLimiterClusterMaster,
  RateLimiterMemory,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { PointLeases } from './point-leases.js';
import type { Limit, Limiter } from './shared-limiter.js';

/** Longer than a busy machine delays the primary process; requests wait for it. */
const ANSWER_MS = 1_000;

/**
 * A limit over all API processes on this port, counted in the memory of their primary process. A process without one
 * counts by itself, also while the primary does not answer.
 */
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

/** In the primary process: counts for its API processes. */
export const keepLimits = (): RateLimiterClusterMaster => new RateLimiterClusterMaster();
