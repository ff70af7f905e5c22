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

const KEYS = `SELECT k.id, k.name, k.prefix, k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", k.scopes,
                k.organization_ids AS "organizationIds", k.folder_ids AS "folderIds", k.addresses,
                k.signed_in_by AS "signedInBy", k.provider, k.created_at AS "createdAt",
                ${REFUSING_ORGANIZATIONS} AS "refusedBy",
                u.id AS "userId", u.email, u.email_verified AS "emailVerified", u.name AS user_name, u.plan, u.operator,
                u.service_of AS "serviceOf"
         FROM api_keys k LEFT JOIN users u ON u.id = k.user_id`;

/** Prepared, one plan per connection: every request with a key or a session runs it first. Shared by requests that arrive together. */
const KEY: PreparedStatement = {
  name: 'api-key',
  shared: true,
  text: `${KEYS} WHERE k.hash = $1`,
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
  text: `${KEYS} WHERE k.id = $1`,
};

/** Reads the key with this id, together with its user. */
export async function readKeyOfToken(dataSource: DataSource, id: string): Promise<KeyRow | undefined> {
  const [row] = await preparedQuery<KeyRow>(dataSource, KEY_OF_TOKEN, [id]);
  return row;
}
