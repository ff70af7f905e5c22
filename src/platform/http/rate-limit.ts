import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { PlatformError } from '../errors/platform-error.js';

/** Takes one point of `key`, or answers 429 with the seconds after which there is one again. */
export async function takePoint(limiter: RateLimiterAbstract, key: string, message?: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new PlatformError('RATE_LIMITED', message, { headers: { 'Retry-After': String(seconds) } });
  }
}
