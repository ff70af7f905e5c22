import type { Caller } from '../../policy/caller.js';
import { hashSecret } from '../../platform/secrets.js';

const MOST = 10_000;

/**
 * Keys whose user is over the limit, so that further requests are refused without reading the database. Holds hashes of
 * `Authorization` headers, and admits nobody: a request that is not refused is authenticated as usual.
 */
export class SpentKeys {
  private readonly callers = new Map<string, Caller>();

  get(authorization: string): Caller | undefined {
    return this.callers.size === 0 ? undefined : this.callers.get(keyOf(authorization));
  }

  add(authorization: string, caller: Caller): void {
    const [oldest] = this.callers.size < MOST ? [] : this.callers.keys();
    if (oldest !== undefined) this.callers.delete(oldest);
    this.callers.set(keyOf(authorization), caller);
  }

  delete(authorization: string): void {
    this.callers.delete(keyOf(authorization));
  }
}

const keyOf = (authorization: string): string => hashSecret(authorization).toString('base64');
