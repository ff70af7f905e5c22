import { listStatement } from './list.sql.js';
import { Refusal } from './refusal.js';
import { capabilitiesOf, mediaOf, reasonsAgainst, termsOf } from './terms.js';

const LISTED = ['canDownload', 'canShare', 'canViewTranscription', 'canGenerateSummary', 'canAskQuestions'];

/** `GET /recordings`: page and total in one statement. */
export async function getList({ pool, addresses }, caller, query) {
  const { statement, values, limit, offset } = listStatement(caller.id, query);
  const { rows } = await pool.query({ ...statement, values });
  if (rows[0].member === false) throw new Refusal(403);
  const expires = addresses.expiry();
  const found = rows[0].id === null ? [] : rows;
  const { total } = rows[0];
  return JSON.stringify({
    data: found.map((row) => itemOf(row, caller, addresses, expires)),
    pagination: { total, limit, offset, has_more: offset + found.length < total },
  });
}

function itemOf(row, caller, addresses, expires) {
  const against = reasonsAgainst(row, termsOf(row, caller.plan, row.created_at));
  return {
    id: row.id,
    status: row.status,
    title: row.title,
    createdAt: row.created_at,
    thumbnailUrl: row.packaged ? addresses.thumbnail(row.id, caller.keyId, expires) : null,
    progress: row.progress,
    duration: row.duration,
    owner: row.owner_id === null ? null : { id: row.owner_id, name: row.owner_name },
    externalId: row.external_id,
    metadata: row.metadata,
    organizationId: row.organization_id,
    folderId: row.folder_id,
    // The bench has no retention rules.
    retentionEndsAt: null,
    retentionRule: null,
    media: mediaOf(row.status, row.has_media),
    ...capabilitiesOf(against, LISTED),
  };
}
