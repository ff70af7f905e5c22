import type { DataSource, EntityManager } from 'typeorm';
import { LIMITS } from '../../../contract/limits.js';
import { preparedQuery, type PreparedStatement } from '../../../platform/database/prepared-query.js';
import { CHANGE_SOURCE, changeSourceValue } from '../../../platform/database/transaction-by.js';
import { changedBy, type Caller } from '../../../policy/caller.js';
import type { ShareLink } from '../access/entities/share-link.entity.js';
import type { SharedLink, StoredToken } from './share-links.queries.js';

/** `plain`: also if it ends with a key. */
export type NewShareLink = Omit<ShareLink, 'plainForKey' | 'viewCount' | 'lastViewedAt' | 'apiKey'>;

/** A link just created, or the plain link that existed; its token is sealed. */
export type InsertedLink = Omit<SharedLink, 'url' | 'token'> & Omit<StoredToken, 'tokenHash'>;

/**
 * An existing plain link is returned unchanged, so that concurrent requests get the same one. No row: the recording has
 * the maximum number of links. Locks the recording before counting, so that requests for one recording are serialized.
 * Prepared, and announcing who causes the change itself: one statement and one plan per connection for a new link
 * (docs/performance.md).
 */
const insertOnce = (name: string, constraint: string): PreparedStatement => ({
  name,
  alone: true,
  text: `
  INSERT INTO share_links AS link
    (id, recording_id, permission, token_hash, token_sealed, sealing_key_id, created_by, created_at, expires_at, password_hash, label, plain,
     organization_id, api_key_id, plain_for_key, tracks)
  SELECT $1::uuid, $2::uuid, $3::text, $4::bytea, $5::bytea, $6::text, $7::uuid, $8::timestamptz, $9::timestamptz, $10::text, $11::text,
    $12::boolean AND $14::uuid IS NULL, $13::uuid, $14::uuid, $12::boolean AND $14::uuid IS NOT NULL, $16::boolean
  FROM set_config('${CHANGE_SOURCE}', $15, true)
  WHERE has_room_for_share_link($2, $3, $14, $12, ${LIMITS.shareLinks})
  ON CONFLICT ${constraint} DO UPDATE SET permission = excluded.permission
  RETURNING id, token_sealed AS "tokenSealed", sealing_key_id AS "sealingKeyId", permission, tracks, label, expires_at AS "expiresAt", password_hash IS NOT NULL AS "hasPassword"`,
});

const INSERT = insertOnce('share-link-insert', '(recording_id, permission) WHERE plain');
const INSERT_FOR_KEY = insertOnce(
  'share-link-insert-for-key',
  '(recording_id, permission, api_key_id) WHERE plain_for_key',
);

/** Inserts a link by a statement alone. */
export async function insertLink(
  dataSource: DataSource,
  link: NewShareLink,
  by: Caller,
): Promise<InsertedLink | undefined> {
  const statement = link.apiKeyId === null ? INSERT : INSERT_FOR_KEY;
  const [inserted] = await preparedQuery<InsertedLink>(dataSource, statement, valuesOf(link, by));
  return inserted;
}

export async function insertLinkIn(
  manager: EntityManager,
  link: NewShareLink,
  by: Caller,
): Promise<InsertedLink | undefined> {
  const values = valuesOf(link, by);
  const [inserted] =
    link.apiKeyId === null
      ? await manager.query<InsertedLink[]>(INSERT.text, values)
      : await manager.query<InsertedLink[]>(INSERT_FOR_KEY.text, values);
  return inserted;
}

function valuesOf(link: NewShareLink, by: Caller): unknown[] {
  const { id, recordingId, permission, tokenHash, tokenSealed, sealingKeyId, createdBy, createdAt } = link;
  const { expiresAt, passwordHash, label, plain, organizationId, apiKeyId, tracks } = link;
  const place = [id, recordingId, permission, tokenHash, tokenSealed, sealingKeyId, createdBy, createdAt];
  const source = changeSourceValue(changedBy(by));
  return [...place, expiresAt, passwordHash, label, plain, organizationId, apiKeyId, source, tracks];
}
