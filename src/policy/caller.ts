import type { KeyScopes } from '../contract/scopes.js';
import type { KeyLimits } from './api-keys.js';
import type { BrowserToken } from './browser-tokens.js';
import { EVERYTHING, type Reach } from './reach.js';
import type { WayIn } from './sessions.js';
import type { UserPlan } from './plans.js';

/** The authenticated user and their API key or session. Passed explicitly as the first argument of service methods. */
export interface Caller {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly plan: UserPlan;
  /** The organization whose service account this is; null for a person. */
  readonly serviceOf: string | null;
  /** Manages all users, and the plans of organizations. */
  readonly operator: boolean;
  /** Manages users who are no operators, as an operator does. */
  readonly managesUsers: boolean;
  /** Of the session, for a caller who signed in. */
  readonly apiKey: { readonly id: string; readonly name: string; readonly prefix: string } & KeyLimits &
    Reach;
  /** How the caller signed in; null for one with an API key. */
  readonly session: CurrentSession | null;
  /** The `client_id` of the OAuth client that acts for the user; null: none. */
  readonly client: string | null;
  /** Absent outside of HTTP requests. */
  readonly request?: RequestOrigin;
  /** With which the request was made, in place of its API key, of which `apiKey` then has what the token leaves. */
  readonly browserToken?: BrowserToken;
  /** Whose requests are counted together, if not all of the user. */
  readonly countedAs?: string;
}

export interface CurrentSession {
  readonly way: WayIn;
  /** The identity provider, if they signed in with one. */
  readonly provider: string | null;
  readonly createdAt: Date;
  /** Unless it is used until then. */
  readonly expiresAt: Date;
}

/** For whom access is decided: a user, and what the API key that they use is limited to. */
export interface Viewer extends Reach {
  readonly id: string;
  readonly scopes: KeyScopes;
}

export function viewerOf({ id, apiKey }: Pick<Caller, 'id' | 'apiKey'>): Viewer {
  const { scopes, organizationIds, folderIds, refusedBy } = apiKey;
  return { id, scopes, organizationIds, folderIds, refusedBy };
}

/** A user who uses no API key, as for work that no request causes: nothing is limited. */
export const withoutKey = (id: string): Viewer => ({ id, scopes: null, ...EVERYTHING });

/** Where a request came from, for the change log. */
export interface RequestOrigin {
  /** `X-Request-Id`. */
  readonly id: string;
  readonly address: string;
  /** The program that made the request, as it names itself (`User-Agent`). */
  readonly client?: string | undefined;
}

/** Who causes a change without a valid API key. */
export const anonymous = ({ id: requestId, address, client }: RequestOrigin) =>
  ({ kind: 'anonymous', requestId, address, client }) as const;

/** A caller, or as much of one as is known; `id` null is the command line. */
export type ChangedBy = { readonly id: string | null } & Partial<Pick<Caller, 'apiKey' | 'request'>>;

/** Who causes a change, as the change log records it. */
export function changedBy({ id, apiKey, request }: ChangedBy) {
  if (id === null) return { kind: 'command_line' } as const;
  return {
    kind: 'user',
    userId: id,
    apiKeyId: apiKey?.id,
    requestId: request?.id,
    address: request?.address,
    client: request?.client,
  } as const;
}
