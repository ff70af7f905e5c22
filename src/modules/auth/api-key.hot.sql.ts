import type { DataSource } from 'typeorm';
import { preparedQuery, type PreparedStatement } from '../../platform/database/prepared-query.js';
import type { KeyFacts, KeyLimits, SessionFacts } from '../../policy/api-keys.js';
import type { UserPlan } from '../../policy/plans.js';
import type { Reach } from '../../policy/reach.js';
import { REFUSING_ORGANIZATIONS } from '../api-keys/public/refusing-organizations.sql.js';

export interface KeyRow extends KeyFacts, SessionFacts, KeyLimits, Reach {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly user_name: string;
  readonly plan: UserPlan;
  readonly operator: boolean;
  readonly serviceOf: string | null;
  readonly createdAt: Date;
  readonly provider: string | null;
}

const COLUMNS = `k.id, k.name, k.prefix, k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", k.scopes,
                k.organization_ids AS "organizationIds", k.folder_ids AS "folderIds", k.addresses,
                k.signed_in_by AS "signedInBy", k.oauth_client AS "oauthClient", k.provider, k.created_at AS "createdAt",
                ${REFUSING_ORGANIZATIONS} AS "refusedBy",
                u.id AS "userId", u.email, u.email_verified AS "emailVerified", u.name AS user_name, u.plan, u.operator,
                u.service_of AS "serviceOf"`;

const KEYS = `SELECT ${COLUMNS} FROM api_keys k LEFT JOIN users u ON u.id = k.user_id`;

/** Prepared, one plan per connection: every request with a key, a session or a browser token runs one first. Shared by requests that arrive together. */
const BY = {
  hash: { name: 'api-key', shared: true, text: `${KEYS} WHERE k.hash = $1` },
  id: { name: 'api-key-by-id', shared: true, text: `${KEYS} WHERE k.id = $1` },
} satisfies Record<string, PreparedStatement>;

/** The key of the connection that an access token is of, and what the token is limited to. */
export interface TokenRow extends KeyRow {
  readonly oauthClient: string;
  /** Scopes, with a space between them. */
  readonly tokenScope: string | null;
  readonly audience: string | null;
  readonly tokenExpiresAt: Date;
}

/** The same for access tokens of OAuth clients: one more lookup by a primary key. */
const TOKEN: PreparedStatement = {
  name: 'access-token',
  shared: true,
  text: `SELECT ${COLUMNS}, t.payload ->> 'scope' AS "tokenScope", t.payload ->> 'aud' AS audience, t.expires_at AS "tokenExpiresAt"
         FROM oauth_artifacts t JOIN api_keys k ON k.id = t.connection_id LEFT JOIN users u ON u.id = k.user_id
         WHERE t.kind = 'AccessToken' AND t.hash = $1`,
};

/** Reads the key or session with this SHA-256, or the key with this id, together with its user. */
export async function readApiKey(
  dataSource: DataSource,
  by: keyof typeof BY,
  value: Buffer | string,
): Promise<KeyRow | undefined> {
  const [row] = await preparedQuery<KeyRow>(dataSource, BY[by], [value]);
  return row;
}

/** Reads the access token with this SHA-256, together with its connection and user. */
export async function readAccessToken(dataSource: DataSource, hash: Buffer): Promise<TokenRow | undefined> {
  const [row] = await preparedQuery<TokenRow>(dataSource, TOKEN, [hash]);
  return row;
}
