import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { Clock } from '../../platform/clock/clock.js';
import { Tally } from '../../platform/database/tally.js';
import { limitedAddress } from '../../platform/http/requests/client-address.js';
import { isUuid } from '../../platform/ids.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import type { WayIn } from '../../policy/sessions.js';
import type { Caller, RequestOrigin } from '../../policy/caller.js';
import {
  findSignIns,
  lockSecurityEvents,
  logSecurityEvents,
  type SecurityEvent,
} from './security-events.queries.js';
import { HOUR_MS, MINUTE_MS } from '../../lib/durations.js';
import { LIMITS } from '../../contract/limits.js';

const EVERY_MS = MINUTE_MS;
/** Rows at a time in one process; more are not logged, or by a later request. */
const MAX_ROWS = 10_000;
/** Rows at a time for one caller who is refused; more are counted together. */
const MAX_PER_CALLER = 5;
/** Rows at a time for the sign-ins of one key, and for its successes within 24 hours; more are not logged. */
const MAX_PER_KEY = 10;
const MAX_PER_KEY_AND_DAY = 100;
/** The time for which a sign-in is remembered, and how many a process remembers; the oldest are forgotten. */
const SIGN_IN_MS = LIMITS.signInHours * HOUR_MS;
const MAX_KNOWN = 20_000;

declare global {
  namespace Express {
    interface Request {
      /** The operation, if it manages something; set by the API key guard. */
      managing?: string;
    }
  }
}

/** A key that exists, and its user. */
export interface SignInKey {
  readonly id: string;
  readonly userId: string;
  /** The organization of a service account, whose managers see its sign-ins; null for a person. */
  readonly organizationId: string | null;
}

/**
 * Logs what changes nothing: the first use of an API key from an address within 24 hours, attempts with keys that no
 * longer work, and 403 `FORBIDDEN` of operations that manage something, which their tag says. Requests only note them:
 * a few rows a minute are written for each caller, however many requests they send.
 */
@Injectable()
export class SecurityEventsService extends Tally<SecurityEvent> {
  /** The times at which keys were used, by key and address, or network of IPv6, of which a client usually has all. */
  private readonly known = new Map<string, number>();
  /** What waits to be written: the number of sign-ins by key, and the kinds of refusals by caller. */
  private readonly signInsOf = new Map<string, number>();
  private readonly refusalsOf = new Map<string, Set<string>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    logger: AppLogger,
  ) {
    super('sign-ins and refusals', logger, EVERY_MS);
  }

  signInSucceeded(key: SignInKey, origin: RequestOrigin, now: Date): void {
    const id = `${key.id} ${limitedAddress(origin.address)}`;
    if (now.getTime() - (this.known.get(id) ?? -Infinity) < SIGN_IN_MS) return;
    const actor = { actorKind: 'user', actorId: key.userId } as const;
    if (!this.addSignIn(id, key, origin, { type: 'sign_in.succeeded', ...actor, details: {} })) return;
    this.known.delete(id);
    this.known.set(id, now.getTime());
    if (this.known.size > MAX_KNOWN) this.known.delete(this.known.keys().next().value!);
  }

  signInRefused(key: SignInKey, origin: RequestOrigin, code: string): void {
    const id = `${key.id} ${limitedAddress(origin.address)} ${code}`;
    const actor = { actorKind: 'anonymous', actorId: null } as const;
    this.addSignIn(id, key, origin, { type: 'sign_in.refused', ...actor, details: { code, count: 1 } });
  }

  /** Somebody could not sign in in another way than with a key. They are gathered by way, provider, address and code. */
  wayInRefused(
    by: { readonly way: WayIn; readonly provider?: string },
    { id, address, client }: RequestOrigin,
    code: string,
  ): void {
    const key = `${by.way} ${by.provider} ${limitedAddress(address)} ${code}`;
    if (!this.has(key) && this.size >= MAX_ROWS) return;
    this.add(key, {
      type: 'sign_in.refused',
      actorKind: 'anonymous',
      actorId: null,
      apiKeyId: null,
      requestId: id,
      address,
      client,
      details: { code, count: 1, ...by },
    });
  }

  managementRefused(error: unknown, request: Request & { caller?: Caller }): void {
    const { caller, managing: operation } = request;
    if (!caller || operation === undefined) return;
    if (!(error instanceof DomainError) || error.code !== 'FORBIDDEN') return;
    const { code } = error;
    const organizationId = findOrganizationId(request);
    const kinds = this.refusalsOf.get(caller.id) ?? new Set<string>();
    const kind = `${organizationId} ${operation} ${code}`;
    const isOther = !kinds.has(kind) && kinds.size >= MAX_PER_CALLER - 1;
    const key = `${caller.id} ${isOther ? 'other' : kind}`;
    if (!this.has(key) && this.size >= MAX_ROWS) return;
    this.refusalsOf.set(caller.id, isOther ? kinds : kinds.add(kind));
    this.add(key, {
      type: 'management.refused',
      actorKind: 'user',
      actorId: caller.id,
      apiKeyId: caller.apiKey.id,
      requestId: caller.request?.id ?? '',
      address: caller.request?.address ?? '',
      client: caller.request?.client,
      organizationId: isOther ? null : organizationId,
      details: { operation: isOther ? null : operation, code, count: 1 },
    });
  }

  /** Returns whether there was room. */
  private addSignIn(
    id: string,
    key: SignInKey,
    origin: RequestOrigin,
    change: Pick<SecurityEvent, 'type' | 'actorKind' | 'actorId' | 'details'>,
  ): boolean {
    if (!this.has(id)) {
      const ofKey = this.signInsOf.get(key.id) ?? 0;
      if (ofKey >= MAX_PER_KEY || this.size >= MAX_ROWS) return false;
      this.signInsOf.set(key.id, ofKey + 1);
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

  /** Keeps the latest with the number of all, and the first of those that are not counted. */
  protected merge(before: SecurityEvent, after: SecurityEvent): SecurityEvent {
    const { count } = before.details;
    if (count === undefined) return before;
    return { ...after, details: { ...after.details, count: count + (after.details.count ?? 0) } };
  }

  protected async write(events: ReadonlyMap<string, SecurityEvent>): Promise<void> {
    this.signInsOf.clear();
    this.refusalsOf.clear();
    await this.dataSource.transaction(async (manager) => {
      await lockSecurityEvents(manager);
      await logSecurityEvents(manager, await this.withoutLogged(manager, [...events.values()]));
    });
  }

  /** Another process, or this one before it was restarted, may have logged the successes. */
  private async withoutLogged(
    manager: EntityManager,
    events: readonly SecurityEvent[],
  ): Promise<SecurityEvent[]> {
    const successes = events.filter(({ type }) => type === 'sign_in.succeeded');
    const rows = await findSignIns(manager, {
      apiKeyIds: [...new Set(successes.flatMap(({ apiKeyId }) => apiKeyId ?? []))],
      since: new Date(this.clock.now().getTime() - SIGN_IN_MS),
      limit: MAX_PER_KEY_AND_DAY,
    });
    const logged = new Set(
      rows.map(({ apiKeyId, address }) => `${apiKeyId} ${limitedAddress(address ?? '')}`),
    );
    const counts = new Map<string, number>();
    for (const { apiKeyId } of rows) counts.set(apiKeyId, (counts.get(apiKeyId) ?? 0) + 1);
    return events.filter(({ type, apiKeyId, address }) => {
      if (type !== 'sign_in.succeeded') return true;
      const isFull = (counts.get(apiKeyId ?? '') ?? 0) >= MAX_PER_KEY_AND_DAY;
      return !isFull && !logged.has(`${apiKeyId} ${limitedAddress(address)}`);
    });
  }
}

/** The organization that a request names, in its path or as `organization_id`; null if that is not an id. */
function findOrganizationId({ route, params, query, body }: Request): string | null {
  const { path } = route as { readonly path: string };
  const named = path.includes('/organizations/:id')
    ? String(params['id'])
    : (query['organization_id'] ?? (body as { organization_id?: unknown } | undefined)?.organization_id);
  return typeof named === 'string' && isUuid(named) ? named.toLowerCase() : null;
}
