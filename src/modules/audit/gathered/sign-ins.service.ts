import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { Tally } from '../../../platform/database/tally.js';
import { limitedAddress } from '../../../platform/http/requests/client-address.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import type { RequestOrigin } from '../../../policy/caller.js';
import { findSignIns, lockSignIns, logGathered, type GatheredChange } from './gathered.queries.js';

const EVERY_MS = 60_000;
/** The time for which a sign-in is remembered. */
const SIGN_IN_MS = 86_400_000;
/** Sign-ins that a process remembers; the oldest are forgotten. */
const MAX_KNOWN = 20_000;
/** Rows for one key at a time, and of successes within 24 hours; more are not logged. */
const MAX_PER_KEY = 10;
const MAX_PER_KEY_AND_DAY = 100;
/** Rows at a time in one process; more are not logged, or by a later request. */
const MAX_ROWS = 5_000;
/** A key that exists, and its user. */
export interface SignInKey {
  readonly id: string;
  readonly userId: string;
  /** That of a service account, whose managers see its sign-ins; null for a person. */
  readonly organizationId: string | null;
}

interface Gathered extends GatheredChange {
  /** Empty for a success. */
  readonly details: { readonly code?: string; readonly count?: number };
}

/**
 * Sign-ins for the log: the first use of an API key from an address within 24 hours, and attempts with keys that no
 * longer work. Requests only note them; several processes write each only once.
 */
@Injectable()
export class SignInsService extends Tally<Gathered> {
  /**
   * The times at which keys were used, by key and address, or network of IPv6, of which a client usually has all
   * addresses.
   */
  private readonly known = new Map<string, number>();
  private readonly keys = new Map<string, number>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    logger: AppLogger,
  ) {
    super('sign-ins', logger, EVERY_MS);
  }

  succeeded(key: SignInKey, origin: RequestOrigin, now: Date): void {
    const id = `${key.id} ${limitedAddress(origin.address)}`;
    if (now.getTime() - (this.known.get(id) ?? -Infinity) < SIGN_IN_MS) return;
    const actor = { actorKind: 'user', actorId: key.userId } as const;
    if (!this.gather(id, key, origin, { type: 'sign_in.succeeded', ...actor, details: {} })) return;
    this.known.delete(id);
    this.known.set(id, now.getTime());
    if (this.known.size > MAX_KNOWN) this.known.delete(this.known.keys().next().value!);
  }

  refused(key: SignInKey, origin: RequestOrigin, code: string): void {
    const id = `${key.id} ${limitedAddress(origin.address)} ${code}`;
    const actor = { actorKind: 'anonymous', actorId: null } as const;
    this.gather(id, key, origin, { type: 'sign_in.refused', ...actor, details: { code, count: 1 } });
  }

  /** Returns whether there was room. */
  private gather(
    id: string,
    key: SignInKey,
    origin: RequestOrigin,
    change: Pick<Gathered, 'type' | 'actorKind' | 'actorId' | 'details'>,
  ): boolean {
    if (!this.has(id)) {
      const ofKey = this.keys.get(key.id) ?? 0;
      if (ofKey >= MAX_PER_KEY || this.size >= MAX_ROWS) return false;
      this.keys.set(key.id, ofKey + 1);
    }
    this.add(id, {
      ...change,
      apiKeyId: key.id,
      requestId: origin.id,
      address: origin.address,
      client: origin.client,
      organizationId: key.organizationId,
      targetId: key.id,
      userId: key.userId,
    });
    return true;
  }

  /** Keeps the latest, with the number of all. */
  protected merge(before: Gathered, after: Gathered): Gathered {
    const { count } = before.details;
    if (count === undefined) return before;
    return { ...after, details: { ...after.details, count: count + (after.details.count ?? 0) } };
  }

  protected async write(signIns: ReadonlyMap<string, Gathered>): Promise<void> {
    this.keys.clear();
    const changes = [...signIns.values()];
    await this.dataSource.transaction(async (manager) => {
      await lockSignIns(manager);
      await logGathered(manager, await this.withoutLogged(manager, changes));
    });
  }

  /** Another process, or this one before it was restarted, may have logged them. */
  private async withoutLogged(manager: EntityManager, changes: readonly Gathered[]): Promise<Gathered[]> {
    const successes = changes.filter(({ type }) => type === 'sign_in.succeeded');
    const rows = await findSignIns(manager, {
      apiKeyIds: [...new Set(successes.map(({ apiKeyId }) => apiKeyId))],
      since: new Date(this.clock.now().getTime() - SIGN_IN_MS),
      limit: MAX_PER_KEY_AND_DAY,
    });
    const logged = new Set(
      rows.map(({ apiKeyId, address }) => `${apiKeyId} ${limitedAddress(address ?? '')}`),
    );
    const counts = new Map<string, number>();
    for (const { apiKeyId } of rows) counts.set(apiKeyId, (counts.get(apiKeyId) ?? 0) + 1);
    return changes.filter(({ type, apiKeyId, address }) => {
      if (type !== 'sign_in.succeeded') return true;
      const isFull = (counts.get(apiKeyId) ?? 0) >= MAX_PER_KEY_AND_DAY;
      return !isFull && !logged.has(`${apiKeyId} ${limitedAddress(address)}`);
    });
  }
}
