import { DomainError } from '../contract/domain-error.js';
import { hasScope, type Scope } from '../contract/scopes.js';
import { limitsOf, missingScope, type KeyLimits } from './api-keys.js';
import type { Caller } from './caller.js';

/** What a browser token says: which API key it stands for, and how much of what that may do it may. */
export interface BrowserToken {
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  /** Either these recordings, or those in a folder. */
  readonly recordings?: readonly string[];
  readonly folder?: { readonly id: string; readonly organizationId: string };
  readonly origins: readonly string[];
  /** ISO 8601. */
  readonly expiresAt: string;
  readonly recipient?: string;
}

/** The limits of both a token and its key, as they are now. Addresses are those of the program that has the key. */
export function narrowed(key: KeyLimits, { scopes, folder, expiresAt }: BrowserToken): KeyLimits {
  const end = new Date(expiresAt);
  return {
    ...limitsOf(key),
    scopes: scopes.filter((scope) => hasScope(key.scopes, scope)),
    ...(folder && {
      organizationIds: onlyWithin(key.organizationIds, folder.organizationId),
      folderIds: onlyWithin(key.folderIds, folder.id),
    }),
    expiresAt: key.expiresAt !== null && key.expiresAt < end ? key.expiresAt : end,
  };
}

const onlyWithin = (limit: readonly string[] | null, id: string): readonly string[] =>
  limit === null || limit.includes(id) ? [id] : [];

/** An upload has the id of its recording. */
const OF_RECORDING = /^\/api\/v1\/(recordings|uploads)\/:id(\/|$)/;

/**
 * Refuses operations that a token is not for, by the scopes that they require, their path as the framework has it, such
 * as `/api/v1/recordings/:id`, and the `id` in the path of the request.
 */
export function requireOperation(
  { browserToken, apiKey }: Pick<Caller, 'browserToken' | 'apiKey'>,
  required: readonly Scope[],
  path: string,
  id: unknown,
): void {
  if (!browserToken) return;
  const missing = missingScope(apiKey.scopes, required);
  if (missing !== null) throw forbidden(`does not have the scope ${missing}`);
  // What every key may use does more than one thing.
  if (required.length === 0) throw forbidden('cannot be used here');
  const { recordings } = browserToken;
  if (!recordings) return;
  if (!OF_RECORDING.test(path))
    throw forbidden('is limited to certain recordings, so it cannot be used here');
  if (!recordings.includes(String(id).toLowerCase())) throw new DomainError('RECORDING_NOT_FOUND');
}

/** Refuses what would take a recording away from those for whom the program has put it there. */
export function refuseToMove({ browserToken }: Pick<Caller, 'browserToken'>): void {
  if (browserToken) throw forbidden('cannot move recordings');
}

const forbidden = (refusal: string): DomainError =>
  new DomainError('FORBIDDEN', `This browser token ${refusal}.`);
