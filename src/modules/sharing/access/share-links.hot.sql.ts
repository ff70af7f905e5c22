import type { DataSource } from 'typeorm';
import { preparedQuery, type PreparedStatement } from '../../../platform/database/prepared-query.js';
import { REFUSING_ORGANIZATIONS } from '../../api-keys/public/refusing-organizations.sql.js';
import { BRAND } from '../../organizations/public/brand.sql.js';
import type { OpenLink } from './public/open-share.js';

/** Of the API key, nothing is read for a link that ends with none. */
const linkWith = (brand: string, join = ''): string => `
  SELECT l.id, l.recording_id AS "recordingId", l.organization_id AS "organizationId", l.created_by AS "createdBy",
    l.permission, l.tracks, LEAST(l.expires_at, k.expires_at, k.revoked_at) AS "expiresAt", l.password_hash AS "passwordHash",
    CASE WHEN k.id IS NOT NULL THEN json_build_object('scopes', k.scopes, 'organizationIds', k.organization_ids,
      'folderIds', k.folder_ids, 'refusedBy', ${REFUSING_ORGANIZATIONS}) END AS key, ${brand} AS brand
  FROM share_links l LEFT JOIN api_keys k ON k.id = l.api_key_id ${join}`;

/** Some 10 µs more, which media do without: they are delivered by the id. */
const BRANDED = linkWith(BRAND, 'LEFT JOIN organizations o ON o.id = l.organization_id');
const IS_ELSEWHERE = `EXISTS (
  SELECT FROM organizations d WHERE d.branding_domain = $2 AND d.id IS DISTINCT FROM l.organization_id)`;

// Prepared: one plan per connection, not one for each of the requests that a player sends for its segments.
const BY = {
  token: {
    name: 'share-link-by-token',
    shared: true,
    text: `${BRANDED} WHERE l.token_hash = $1 AND NOT ${IS_ELSEWHERE}`,
  },
  id: { name: 'share-link-by-id', shared: true, text: `${linkWith('NULL')} WHERE l.id = $1` },
} satisfies Record<string, PreparedStatement>;

/**
 * Finds a link by the hash of its token and the host that it is opened at (null: that of the service), or by its id and
 * without its brand. None at the domain of another organization.
 */
export async function findLink(
  dataSource: DataSource,
  by: keyof typeof BY,
  ...values: readonly (Buffer | string | null)[]
): Promise<OpenLink | undefined> {
  const [link] = await preparedQuery<OpenLink>(dataSource, BY[by], values);
  return link;
}
