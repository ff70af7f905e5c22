import type { DataSource } from 'typeorm';
import { preparedQuery, type PreparedStatement } from '../../../platform/database/prepared-query.js';
import { REFUSING_ORGANIZATIONS } from '../../api-keys/public/refusing-organizations.sql.js';
import type { OpenLink } from './public/open-share.js';

/** Of the API key, nothing is read for a link that ends with none. */
const LINK = `SELECT l.id, l.recording_id AS "recordingId", l.organization_id AS "organizationId", l.created_by AS "createdBy",
    l.permission, LEAST(l.expires_at, k.expires_at, k.revoked_at) AS "expiresAt", l.password_hash AS "passwordHash",
    CASE WHEN k.id IS NOT NULL THEN json_build_object('scopes', k.scopes, 'organizationIds', k.organization_ids,
      'folderIds', k.folder_ids, 'refusedBy', ${REFUSING_ORGANIZATIONS}) END AS key
  FROM share_links l LEFT JOIN api_keys k ON k.id = l.api_key_id`;

// Prepared: one plan per connection, not one for each of the requests that a player sends for its segments.
const BY = {
  token: { name: 'share-link-by-token', shared: true, text: `${LINK} WHERE l.token_hash = $1` },
  id: { name: 'share-link-by-id', shared: true, text: `${LINK} WHERE l.id = $1` },
} satisfies Record<string, PreparedStatement>;

/** Finds a link by the hash of its token, or by its id. */
export async function findLink(
  dataSource: DataSource,
  by: keyof typeof BY,
  value: Buffer | string,
): Promise<OpenLink | undefined> {
  const [link] = await preparedQuery<OpenLink>(dataSource, BY[by], [value]);
  return link;
}
