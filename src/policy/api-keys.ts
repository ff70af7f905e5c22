import { hasScope, hasScopes, USER_SCOPES, type KeyScopes, type Scope } from '../contract/scopes.js';
import { DomainError } from '../contract/domain-error.js';
import { areWithinRanges, isInRanges } from '../lib/address-ranges.js';
import { reachesNothing, type Reach, type ReachLimits } from './reach.js';
import type { WayIn } from './sessions.js';
import { CLI } from '../contract/cli.js';

/** What decides whether an API key works. */
export interface KeyFacts {
  readonly revokedAt: Date | null;
  readonly expiresAt: Date | null;
  /** Null if its user was deleted. */
  readonly userId: string | null;
}

/** What a key is, if not an API key: null for both. */
export interface SessionFacts {
  /** How the user of a session signed in. */
  readonly signedInBy: WayIn | null;
  /** The `client_id` of the client that a connection lets in. */
  readonly oauthClient: string | null;
}

export type KeyRefusal =
  'INVALID_API_KEY' | 'API_KEY_EXPIRED' | 'SESSION_ENDED' | 'INVALID_TOKEN' | 'USER_NOT_FOUND';

/** Why an API key, a session or a connection does not work, in the order of the contract; null if it does. */
export function keyRefusal(key: KeyFacts & Partial<SessionFacts>, now: Date): KeyRefusal | null {
  const { revokedAt, expiresAt, userId, signedInBy, oauthClient } = key;
  const hasExpired = expiresAt !== null && expiresAt <= now;
  const hasEnded = revokedAt !== null || hasExpired;
  if (signedInBy && hasEnded) return 'SESSION_ENDED';
  if (oauthClient && hasEnded) return 'INVALID_TOKEN';
  if (revokedAt !== null) return 'INVALID_API_KEY';
  if (hasExpired) return 'API_KEY_EXPIRED';
  return userId === null ? 'USER_NOT_FOUND' : null;
}

/** What a key is limited to, besides what its user may do; null: not limited. */
export interface KeyLimits extends ReachLimits {
  readonly scopes: KeyScopes;
  /** CIDR. */
  readonly addresses: readonly string[] | null;
  readonly expiresAt: Date | null;
}

/** What a key is refused with that must not be used from this address: 403 `FORBIDDEN`. Undefined: no request. */
export function addressRefusal(
  { addresses }: Pick<KeyLimits, 'addresses'>,
  address: string | undefined,
): DomainError | null {
  if (addresses === null || address === undefined || isInRanges(address, addresses)) return null;
  return new DomainError('FORBIDDEN', `This API key must not be used from ${address}.`);
}

/** Picks the limits of what also has them. A session has none: that it ends does not limit what its user makes. */
export function limitsOf(key: KeyLimits & Partial<SessionFacts>): KeyLimits {
  if (key.signedInBy) return UNLIMITED;
  const { scopes, organizationIds, folderIds, addresses, expiresAt } = key;
  return { scopes, organizationIds, folderIds, addresses, expiresAt };
}

export const UNLIMITED: KeyLimits = {
  scopes: null,
  organizationIds: null,
  folderIds: null,
  addresses: null,
  expiresAt: null,
};

export const isLimited = (limits: KeyLimits): boolean => exceeds(UNLIMITED, limits).length > 0;

/** Whether one limit lets nothing through that another does not. */
const WITHIN: { readonly [Limit in keyof KeyLimits]: (a: KeyLimits[Limit], b: KeyLimits[Limit]) => boolean } =
  {
    scopes: (a, b) => b === null || (a !== null && hasScopes(b, a)),
    organizationIds: (a, b) => isAmong(a, b),
    folderIds: (a, b) => isAmong(a, b),
    addresses: (a, b) => b === null || (a !== null && areWithinRanges(a, b)),
    expiresAt: (a, b) => b === null || (a !== null && a <= b),
  };

const isAmong = (a: readonly string[] | null, b: readonly string[] | null): boolean =>
  b === null || (a !== null && a.every((one) => b.includes(one)));

/** The limits in which one key exceeds another: none makes a more powerful one, and none becomes more powerful. */
export const exceeds = (one: Partial<KeyLimits>, other: KeyLimits): readonly (keyof KeyLimits)[] =>
  LIMIT_NAMES.filter((name) => name in one && !isWithin(name, one, other));

/** An API key that asks for something; `id` null: the command line, which uses none. */
export interface AskingKey extends KeyLimits {
  readonly id: string | null;
  /** The identity provider with which its user, or whoever made it, had signed in. */
  readonly provider?: string | null;
}

/** What a key that manages users can give one of them, who has signed in with no provider: all that needs no operator. */
export const lent = (key: KeyLimits) => ({ ...key, scopes: key.scopes && USER_SCOPES, provider: null });

export const WITHOUT_KEY: AskingKey = { id: null, ...UNLIMITED };

/**
 * Whether a key knows another: itself, and those that are limited at least as much. Others are absent for it. That one
 * works longer does not matter where its organizations all refuse it for that: those who manage it can end it.
 */
export const knows = (asking: AskingKey, other: AskingKey & Reach): boolean =>
  asking.id === other.id ||
  exceeds(other, asking).every((limit) => limit === 'expiresAt' && reachesNothing(other));

const LIMIT_NAMES = Object.keys(WITHIN) as readonly (keyof KeyLimits)[];

const isWithin = <Limit extends keyof KeyLimits>(
  name: Limit,
  one: Partial<KeyLimits>,
  other: KeyLimits,
): boolean => WITHIN[name](one[name] as KeyLimits[Limit], other[name]);

/** What decides about a recording for a URL that a key was issued. */
export type LimitedKeyFacts = KeyFacts & Pick<KeyLimits, 'scopes'> & Reach;

/** The first of the required scopes that a key lacks; null if it has all. */
export const missingScope = (scopes: KeyScopes, required: readonly Scope[]): Scope | null =>
  required.find((scope) => !hasScope(scopes, scope)) ?? null;

/** What a key that lacks one of the scopes is refused with: 403 `FORBIDDEN`, which says how to get another. */
export function scopeRefusal(scopes: KeyScopes, required: readonly Scope[]): DomainError | null {
  const missing = missingScope(scopes, required);
  return missing === null ? null : explainMissingScope(missing);
}

function explainMissingScope(scope: Scope): DomainError {
  const advice = `An operator creates one with "${CLI} keys create --email EMAIL --name NAME --scopes ${scope}"`;
  const message = `This API key does not have the scope ${scope}. Use one that has. ${advice}.`;
  // With which an OAuth client knows what to ask for (RFC 6750).
  const headers = { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` };
  return new DomainError('FORBIDDEN', message, { advice, headers });
}
