import type { EntityManager } from 'typeorm';
import { type Sql, sql } from '../../platform/database/sql.js';
import { mayKnow } from '../legal-holds/public/held.queries.js';
import type { Export } from './entities/export.entity.js';

/** What an export is about. */
type ExportScope = Pick<
  Export,
  'userId' | 'kind' | 'recordingId' | 'organizationId' | 'createdFrom' | 'createdTo'
>;

/** Of a user, those that they own, wherever they are. */
function isOf({ userId, kind, recordingId, organizationId, createdFrom, createdTo }: ExportScope): Sql {
  const within = sql`(${createdFrom}::timestamptz IS NULL OR r.created_at >= ${createdFrom}::timestamptz)
    AND (${createdTo}::timestamptz IS NULL OR r.created_at < ${createdTo}::timestamptz)`;
  if (kind === 'recording') return sql`r.id = ${recordingId}::uuid`;
  if (kind === 'user') return sql`r.owner_id = ${userId}::uuid AND ${within}`;
  return sql`r.organization_id = ${organizationId}::uuid AND ${within}`;
}

/** How many recordings there are, and how many bytes their original files have. */
export const measure = (
  manager: EntityManager,
  scope: ExportScope,
): Promise<{ readonly recordings: number; readonly bytes: number }> => sql(manager).row`
  SELECT count(*)::int AS recordings, COALESCE(sum(r.stored_bytes), 0)::float8 AS bytes FROM recordings r WHERE ${isOf(scope)}`;

/** The ids of the recordings, which are no more than an export can have. */
export async function findRecordingIds(manager: EntityManager, scope: ExportScope): Promise<string[]> {
  const rows = await sql(manager)<{ id: string }>`
    SELECT r.id FROM recordings r WHERE ${isOf(scope)} ORDER BY r.created_at, r.id`;
  return rows.map(({ id }) => id);
}

/** The organizations of a user, and their role in each. */
export const findMemberships = (manager: EntityManager, userId: string): Promise<object[]> => sql(manager)`
  SELECT o.id, o.name, m.role, m.created_at AS "joinedAt"
  FROM organization_members m JOIN organizations o ON o.id = m.organization_id
  WHERE m.user_id = ${userId}::uuid AND o.deleted_at IS NULL ORDER BY m.created_at, o.id`;

/** Deletes those with recordings of the organization, and those of what its members own; null: all. */
export async function deleteExportsOf(manager: EntityManager, organizationId: string | null): Promise<void> {
  await sql(manager)`
    DELETE FROM exports e WHERE ${organizationId}::uuid IS NULL OR e.organization_id = ${organizationId}::uuid
      OR EXISTS (SELECT FROM recordings r WHERE r.id = e.recording_id
                 AND ${organizationId}::uuid IN (r.organization_id, r.deleted_organization_id))
      OR e.kind = 'user' AND EXISTS (SELECT FROM organization_members m
                 WHERE m.user_id = e.user_id AND m.organization_id = ${organizationId}::uuid)`;
}

const PAGE = 100;

/** The voices that an organization has kept, oldest first; `page` from 1. */
export const findVoices = (manager: EntityManager, organizationId: string, page: number): Promise<object[]> =>
  sql(manager)`
    SELECT v.speaker AS name, v.named_at, v.recording_id, v.seconds, v.model, encode(v.embedding, 'base64') AS embedding
    FROM transcript_voices v WHERE v.organization_id = ${organizationId}::uuid
    ORDER BY v.recording_id, v.number LIMIT ${PAGE} OFFSET ${(page - 1) * PAGE}`;

/** What was overwritten in a recording under a legal hold that the user may know of, oldest first; `page` from 1. */
export const findHeldVersions = (
  manager: EntityManager,
  userId: string,
  recordingId: string,
  page: number,
): Promise<object[]> => sql(manager)`
  SELECT v.at, v.kind, v.value FROM held_versions v WHERE v.recording_id = ${recordingId}::uuid AND EXISTS (
    SELECT FROM held_recordings held JOIN legal_holds hold ON hold.id = held.hold_id
    WHERE held.recording_id = v.recording_id AND (EXISTS (SELECT FROM users WHERE id = ${userId}::uuid AND operator)
      OR ${mayKnow({ id: userId, operator: false })}))
  ORDER BY v.at, v.kind, v.value::text LIMIT ${PAGE} OFFSET ${(page - 1) * PAGE}`;
