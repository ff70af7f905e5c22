import { RateLimiterClusterMaster } from 'rate-limiter-flexible';

/** In the primary process, which loads little: counts for its API processes. */
export const keepLimits = (): RateLimiterClusterMaster => new RateLimiterClusterMaster();
