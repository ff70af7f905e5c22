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

/** Prepared, one plan per connection: every request with a key or a session runs it first. Shared by requests that arrive together. */
const KEY: PreparedStatement = {
  name: 'api-key',
  shared: true,
  text: `SELECT ${COLUMNS} FROM api_keys k LEFT JOIN users u ON u.id = k.user_id WHERE k.hash = $1`,
};

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

/** Reads the key or session with this SHA-256, together with its user. */
export async function readApiKey(dataSource: DataSource, hash: Buffer): Promise<KeyRow | undefined> {
  const [row] = await preparedQuery<KeyRow>(dataSource, KEY, [hash]);
  return row;
}

/** The same for a browser token, which names its key. */
const KEY_OF_TOKEN: PreparedStatement = {
  name: 'key-of-token',
  shared: true,
  text: `SELECT ${COLUMNS} FROM api_keys k LEFT JOIN users u ON u.id = k.user_id WHERE k.id = $1`,
};

/** Reads the key with this id, together with its user. */
export async function readKeyOfToken(dataSource: DataSource, id: string): Promise<KeyRow | undefined> {
  const [row] = await preparedQuery<KeyRow>(dataSource, KEY_OF_TOKEN, [id]);
  return row;
}

/** Reads the access token with this SHA-256, together with its connection and user. */
export async function readAccessToken(dataSource: DataSource, hash: Buffer): Promise<TokenRow | undefined> {
  const [row] = await preparedQuery<TokenRow>(dataSource, TOKEN, [hash]);
  return row;
}
