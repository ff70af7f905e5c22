import type { EntityManager } from 'typeorm';
import { DomainError, invalid } from '../../contract/domain-error.js';
import { presetOf, SCOPE_NAMES, type KeyScopes } from '../../contract/scopes.js';
import { RepeatableDecision } from '../../platform/idempotency/repeatable-decision.js';
import { parseTimestamp } from '../../platform/clock/timestamps.js';
import { counted } from '../../lib/text.js';
import { exceeds, type KeyLimits } from '../../policy/api-keys.js';
import { missingScope } from '../../policy/scopes.js';
import { findFoldersOf, findOrganizationsOf } from './api-keys.queries.js';

const DAY_MS = 86_400_000;

/** What a request says about the limits of a key; times are ISO 8601, or seconds from now. */
export interface GivenLimits {
  readonly scopes?: readonly string[];
  readonly organizationIds?: readonly string[];
  readonly folderIds?: readonly string[];
  readonly addresses?: readonly string[];
  readonly expiresAt?: string;
  readonly expiresIn?: number;
}

/** Without what the request does not say. Organizations and folders must be those of the user. */
export async function readLimits(
  manager: EntityManager,
  userId: string,
  given: GivenLimits,
  now: Date,
): Promise<Partial<KeyLimits>> {
  const { scopes, addresses, expiresAt, expiresIn } = given;
  return {
    ...(scopes === undefined ? {} : { scopes: readScopes(scopes) }),
    ...(await readReach(manager, userId, given)),
    ...(addresses === undefined ? {} : { addresses }),
    ...(expiresAt === undefined ? {} : { expiresAt: futureTime(expiresAt, now) }),
    ...(expiresIn === undefined ? {} : { expiresAt: new Date(now.getTime() + expiresIn * 1000) }),
  };
}

/** Replaces presets by what they stand for, in the order of the catalog. */
function readScopes(names: readonly string[]): KeyScopes {
  const chosen = names.map((name) => presetOf(name));
  if (chosen.includes(null)) return null;
  const named = new Set(chosen.flatMap((scopes) => scopes ?? []));
  return SCOPE_NAMES.filter((scope) => named.has(scope));
}

/** Folders alone also limit a key to their organizations. */
async function readReach(
  manager: EntityManager,
  userId: string,
  { organizationIds, folderIds }: GivenLimits,
): Promise<Partial<KeyLimits>> {
  const known = organizationIds && (await findOrganizationsOf(manager, userId, organizationIds));
  const stranger = organizationIds?.find((id) => !known?.has(id));
  if (stranger !== undefined)
    throw invalid(
      `organizations: must be ids of organizations that the user is a member of, not ${stranger}`,
    );
  if (folderIds === undefined) return organizationIds ? { organizationIds } : {};
  const folders = await findFoldersOf(manager, userId, folderIds);
  const elsewhere = folderIds.find((id) => {
    const organizationId = folders.get(id);
    return organizationId === undefined || (known && !known.has(organizationId));
  });
  if (elsewhere !== undefined)
    throw invalid(
      `folders: must be ids of folders of ${known ? 'these' : 'the'} organizations, not ${elsewhere}`,
    );
  return { organizationIds: organizationIds ?? [...new Set(folders.values())], folderIds };
}

/**
 * Refuses a key for certain organizations that one of them would not accept, as it would work for too long: 400
 * `VALIDATION_ERROR`. A key for all organizations may be too long for some, which it then does not reach.
 */
export async function requireAcceptable(
  manager: EntityManager,
  userId: string,
  { organizationIds, expiresAt }: Pick<KeyLimits, 'organizationIds' | 'expiresAt'>,
  createdAt: Date,
): Promise<void> {
  if (organizationIds === null) return;
  for (const [id, days] of await findOrganizationsOf(manager, userId, organizationIds)) {
    const isAccepted =
      days === null || (expiresAt !== null && expiresAt.getTime() <= createdAt.getTime() + days * DAY_MS);
    if (!isAccepted)
      throw invalid(
        `expires_at: must be at most ${counted(days, 'day')} after the creation of the key for the organization ${id}`,
      );
  }
}

function futureTime(text: string, now: Date): Date {
  const date = parseTimestamp(text)?.date;
  if (!date || date <= now) throw invalid('expires_at: must be an ISO 8601 time in the future');
  return date;
}

/** The limits as the API has them. */
const FIELDS: Readonly<Record<keyof KeyLimits, string>> = {
  scopes: 'scopes',
  organizationIds: 'organizations',
  folderIds: 'folders',
  addresses: 'addresses',
  expiresAt: 'expires_at',
};

export const MAKING = new RepeatableDecision<KeyLimits>('new api key');

/** Refuses a new key that could do more, reach further or work longer than the one that makes it. */
export function requireWithin(made: KeyLimits, by: KeyLimits): void {
  const [beyond] = exceeds(made, by);
  if (beyond === undefined) return MAKING.note(made);
  throw new DomainError(
    'FORBIDDEN',
    `An API key cannot make one that may do more, reaches further or works longer than itself; this one ${LIMITED[beyond](by, made)}.`,
  );
}

const LIMITED: Readonly<Record<keyof KeyLimits, (by: KeyLimits, made: KeyLimits) => string>> = {
  scopes: ({ scopes }, made) => `does not have the scope ${missingScope(scopes, made.scopes ?? SCOPE_NAMES)}`,
  organizationIds: () => 'is limited to fewer organizations',
  folderIds: () => 'is limited to fewer folders',
  addresses: ({ addresses }) => `can be used from ${addresses?.join(', ')} only`,
  expiresAt: ({ expiresAt }) => `expires at ${expiresAt?.toISOString()}`,
};

/** Refuses a change that does not narrow the key. */
export function requireNarrower(given: Partial<KeyLimits>, apiKey: KeyLimits): void {
  const problems = exceeds(given, apiKey).map((limit) => {
    const has = apiKey[limit];
    const rule =
      has instanceof Date
        ? `must not be after ${has.toISOString()}, when the key expires`
        : `must be among those of the key: ${has?.join(', ')}`;
    return `${FIELDS[limit]}: ${rule}`;
  });
  if (problems.length > 0) throw invalid(problems.join('; '));
}

/** The limits as columns. */
export const stored = (limits: KeyLimits) => ({
  scopes: copied(limits.scopes),
  organizationIds: copied(limits.organizationIds),
  folderIds: copied(limits.folderIds),
  addresses: copied(limits.addresses),
  expiresAt: limits.expiresAt,
});

const copied = <T>(list: readonly T[] | null): T[] | null => list && [...list];
