import type { EntityManager } from 'typeorm';
import { isUuid } from '../../../platform/ids.js';
import { type Sql, sql } from '../../../platform/database/sql.js';
import type { LegalHold } from './entities/legal-hold.entity.js';

type Criteria = Readonly<Pick<LegalHold, 'organizationId' | 'recordingIds' | 'folderIds' | 'userIds'>>;

/** A hold with how much it holds. */
export type CountedHold = Readonly<LegalHold> & { readonly recordings: number; readonly bytes: number };

/** The recordings `r` that a hold may cover: what belongs to nobody, or a deleted organization, is as good as gone. */
const withinReach = ({ organizationId, recordingIds, userIds }: Criteria): Sql =>
  organizationId === null
    ? sql`(r.id = ANY (${recordingIds}::uuid[]) OR r.owner_id = ANY (${userIds}::uuid[])
        OR r.deleted_owner_id = ANY (${userIds}::uuid[]))
      AND COALESCE(r.organization_id, r.owner_id, r.deleted_organization_id, r.deleted_owner_id) IS NOT NULL
      AND NOT EXISTS (SELECT FROM organizations o WHERE o.deleted_at IS NOT NULL
        AND o.id IN (r.organization_id, r.deleted_organization_id))`
    : sql`(r.organization_id = ${organizationId}::uuid OR r.deleted_organization_id = ${organizationId}::uuid)`;

/**
 * Blocks, until the transaction ends, whatever would change what a hold covers: the trigger of recordings takes a lock
 * on the organization and the owner before it looks for holds. Locks in the order of all other transactions.
 */
export async function lockForHold(manager: EntityManager, criteria: Criteria): Promise<void> {
  const { organizationId, userIds } = criteria;
  if (organizationId !== null) {
    await sql(manager)`SELECT FROM organizations WHERE id = ${organizationId}::uuid FOR UPDATE`;
    return;
  }
  const within = withinReach(criteria);
  await sql(manager)`
    SELECT FROM organizations WHERE id IN (
      SELECT COALESCE(r.organization_id, r.deleted_organization_id) FROM recordings r WHERE ${within})
    ORDER BY id FOR SHARE`;
  await sql(manager)`SELECT FROM recordings r WHERE ${within} ORDER BY r.id FOR NO KEY UPDATE`;
  await sql(manager)`SELECT FROM users WHERE id = ANY (${userIds}::uuid[]) ORDER BY id FOR UPDATE`;
}

/** Finds the first id that names nothing there, as `folder_ids[2]`; undefined if each names something. */
export async function findUnknownId(
  manager: EntityManager,
  { recordingIds, folderIds, userIds, organizationId }: Criteria,
): Promise<string | undefined> {
  const given = { recording_ids: recordingIds, folder_ids: folderIds, user_ids: userIds };
  const recordings = recordingIds.filter(isUuid);
  const users = userIds.filter(isUuid);
  const rows = await sql(manager)<{ field: keyof typeof given; id: string }>`
    SELECT 'recording_ids' AS field, r.id FROM recordings r WHERE r.id = ANY (${recordings}::uuid[])
      AND ${withinReach({ organizationId, recordingIds: recordings, folderIds: [], userIds: [] })}
    UNION ALL SELECT 'folder_ids', f.id FROM folders f WHERE f.id = ANY (${folderIds.filter(isUuid)}::uuid[])
      AND f.organization_id = ${organizationId}::uuid AND f.deleted_at IS NULL
    UNION ALL SELECT 'user_ids', u.id FROM users u WHERE u.id = ANY (${users}::uuid[]) AND (${organizationId}::uuid IS NULL
      OR EXISTS (SELECT FROM organization_members m WHERE m.user_id = u.id AND m.organization_id = ${organizationId}::uuid)
      OR EXISTS (SELECT FROM recordings r WHERE (r.owner_id = u.id OR r.deleted_owner_id = u.id)
        AND ${organizationId}::uuid IN (r.organization_id, r.deleted_organization_id)))`;
  const known = new Set(rows.map(({ field, id }) => `${field} ${id}`));
  for (const [field, ids] of Object.entries(given)) {
    const at = ids.findIndex((id) => !known.has(`${field} ${id}`));
    if (at >= 0) return `${field}[${at}]`;
  }
  return undefined;
}

/** Writes down what a hold that has just been inserted covers. Recordings whose deletion has begun are waited for. */
export async function holdRecordings(manager: EntityManager, hold: Criteria & { id: string }): Promise<void> {
  await sql(manager)`
    INSERT INTO held_recordings (recording_id, hold_id)
      SELECT r.id, hold.id FROM recordings r JOIN legal_holds hold ON hold.id = ${hold.id}::uuid
      WHERE ${withinReach(hold)} AND is_covered_by_hold(recording_place(r), hold) ORDER BY r.id FOR KEY SHARE OF r
    ON CONFLICT DO NOTHING`;
}

/** Ends what a lifted hold holds, and removes the versions of recordings that no other hold covers. */
export async function releaseRecordings(manager: EntityManager, holdId: string): Promise<void> {
  await sql(manager)`
    WITH released AS (DELETE FROM held_recordings WHERE hold_id = ${holdId}::uuid RETURNING recording_id)
    DELETE FROM held_versions v USING released WHERE v.recording_id = released.recording_id AND NOT EXISTS (
      SELECT FROM held_recordings held WHERE held.recording_id = v.recording_id AND held.hold_id <> ${holdId}::uuid)`;
}

/** Finds holds `hold`, newest first. */
export function findHolds(manager: EntityManager, where: Sql, limit: number): Promise<CountedHold[]> {
  return sql(manager)`
    SELECT hold.id, organization_id AS "organizationId", matter, reason, recording_ids AS "recordingIds",
           folder_ids AS "folderIds", user_ids AS "userIds", from_at AS "fromAt", to_at AS "toAt", created_at AS "createdAt",
           lifted_at AS "liftedAt", held.recordings, held.bytes
    FROM (SELECT * FROM legal_holds hold WHERE ${where} ORDER BY hold.created_at DESC, hold.id DESC LIMIT ${limit}::int) hold
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS recordings, COALESCE(sum(r.stored_bytes), 0)::float8 AS bytes
      FROM held_recordings h JOIN recordings r ON r.id = h.recording_id WHERE h.hold_id = hold.id) held
    ORDER BY hold.created_at DESC, hold.id DESC`;
}
