import type { EntityManager } from 'typeorm';
import { DomainError, invalid } from '../../contract/domain-error.js';
import { readExpiry } from '../../contract/expiry.js';
import { presetOf, SCOPE_NAMES, type KeyScopes } from '../../contract/scopes.js';
import { RepeatableDecision } from '../../platform/idempotency/repeatable-decision.js';
import { counted } from '../../lib/text.js';
import { exceeds, lent, missingScope, type KeyLimits } from '../../policy/api-keys.js';
import { findOrganizationsOf } from './api-keys.queries.js';
import { findFoldersOf } from './public/folders.queries.js';
import type { KeyNarrowing } from './public/api-key.request.dto.js';
import { DAY_MS } from '../../lib/durations.js';

/** What a request says about the limits of a key. */
export type GivenLimits = Readonly<KeyNarrowing>;

/** Without what the request does not say. Organizations and folders must be those of the user. */
export async function readLimits(
  manager: EntityManager,
  userId: string,
  given: GivenLimits,
  now: Date,
): Promise<Partial<KeyLimits>> {
  const { scopes, addresses } = given;
  const expiresAt = readExpiry(given, now);
  if (expiresAt && expiresAt <= now) throw invalid('expires_at: must be an ISO 8601 time in the future');
  return {
    ...(scopes && { scopes: readScopes(scopes) }),
    ...(await readReach(manager, userId, given)),
    ...(addresses && { addresses }),
    ...(expiresAt && { expiresAt }),
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
  { organizations: organizationIds, folders: folderIds }: GivenLimits,
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

/** The limits as the API has them. */
const FIELDS: Readonly<Record<keyof KeyLimits, string>> = {
  scopes: 'scopes',
  organizationIds: 'organizations',
  folderIds: 'folders',
  addresses: 'addresses',
  expiresAt: 'expires_at',
};

export const MAKING = new RepeatableDecision<KeyLimits & { readonly lends?: boolean }>('new api key');

/** Refuses a new key that could do more, reach further or work longer than the one that makes it, or lends to it. */
export function requireNoBroader(made: KeyLimits, own: KeyLimits, lends = false): void {
  const by = lends ? lent(own) : own;
  const [beyond] = exceeds(made, by);
  if (beyond === undefined) return MAKING.note({ ...made, lends });
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
