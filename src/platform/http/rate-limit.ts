import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { PlatformError } from '../errors/platform-error.js';

/** Consumes one point of `key`, or replies 429 with the number of seconds until one is available. */
export async function takePoint(limiter: RateLimiterAbstract, key: string, message?: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new PlatformError('RATE_LIMITED', message, { headers: { 'Retry-After': String(seconds) } });
  }
}
