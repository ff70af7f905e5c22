import type { EntityManager } from 'typeorm';
import { type Sql, sql } from '../../platform/database/sql.js';
import type { FeatureFlags } from '../../policy/plans.js';
import type { Role } from '../../policy/roles.js';
import { decodeFeatureFlags, featureFlagsSql } from '../organizations/public/feature-flags.sql.js';
import type { Glossary } from '../organizations/entities/glossary.entity.js';
import type { Export } from './entities/export.entity.js';

/** What an export is about. */
export type ExportScope = Pick<
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

/** What the workspace file says of a recording, besides what is in other files. */
export interface ExportedRow {
  readonly id: string;
  readonly ownerId: string | null;
  readonly organizationId: string | null;
  readonly folder: string | null;
  readonly title: string;
  readonly status: string;
  readonly progress: number;
  readonly notes: string;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly language: string | null;
}

export const findRows = (manager: EntityManager, ids: readonly string[]): Promise<ExportedRow[]> =>
  sql(manager)`
  SELECT r.id, r.owner_id AS "ownerId", r.organization_id AS "organizationId", f.name AS folder, r.title, r.status, r.progress,
    r.notes, r.created_at AS "createdAt", r.started_at AS "startedAt", r.ended_at AS "endedAt", r.language
  FROM recordings r LEFT JOIN folders f ON f.id = r.folder_id
  WHERE r.id = ANY (${ids}::uuid[]) ORDER BY r.created_at, r.id`;

export interface ExportedPerson {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly plan: string;
}

/** Those who are people, first the ones whose addresses are known to be theirs. */
export const findPeople = (manager: EntityManager, ids: readonly string[]): Promise<ExportedPerson[]> =>
  sql(manager)`
  SELECT id, email, name, plan FROM users WHERE id = ANY (${ids}::uuid[]) AND service_of IS NULL
  ORDER BY email_verified DESC, created_at, id`;

export interface ExportedMember {
  readonly userId: string;
  readonly role: Role;
  readonly features: FeatureFlags & Readonly<Record<'viewAllRecordings' | 'viewFolderRecordings', boolean>>;
}

/** `userId`: only that member; null: all people. */
export async function findMembers(
  manager: EntityManager,
  organizationId: string,
  userId: string | null,
): Promise<ExportedMember[]> {
  const rows = await sql(manager)<
    Omit<ExportedMember, 'features'> & { flags: number; all: boolean; folder: boolean }
  >`
    SELECT m.user_id AS "userId", m.role, ${() => featureFlagsSql('m')} AS flags, m.view_all_recordings AS all,
      m.view_folder_recordings AS folder
    FROM organization_members m JOIN users u ON u.id = m.user_id AND u.service_of IS NULL
    WHERE m.organization_id = ${organizationId}::uuid AND m.user_id = COALESCE(${userId}::uuid, m.user_id)
    ORDER BY m.created_at, m.user_id`;
  return rows.map(({ flags, all, folder, ...member }) => ({
    ...member,
    features: { ...decodeFeatureFlags(flags), viewAllRecordings: all, viewFolderRecordings: folder },
  }));
}

/** The organizations of a user, and what they are there. */
export const findMemberships = (manager: EntityManager, userId: string): Promise<object[]> => sql(manager)`
  SELECT o.id, o.name, m.role, m.created_at AS "joinedAt"
  FROM organization_members m JOIN organizations o ON o.id = m.organization_id
  WHERE m.user_id = ${userId}::uuid AND o.deleted_at IS NULL ORDER BY m.created_at, o.id`;

export interface ExportedFolder {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  /** Null if it is open to all members. */
  readonly restrictedTo: readonly string[] | null;
}

/** `within`: only folders with these recordings, and without who else they are open to; null: all. */
export const findFolders = (
  manager: EntityManager,
  organizationId: string,
  within: readonly string[] | null,
): Promise<ExportedFolder[]> => sql(manager)`
  SELECT f.id, f.name, f.active, CASE WHEN f.restricted AND ${within}::uuid[] IS NULL THEN ARRAY(
    SELECT fm.user_id FROM folder_members fm WHERE fm.folder_id = f.id ORDER BY fm.user_id) END AS "restrictedTo"
  FROM folders f WHERE f.organization_id = ${organizationId}::uuid AND f.deleted_at IS NULL
    AND (${within}::uuid[] IS NULL
      OR EXISTS (SELECT FROM recordings r WHERE r.folder_id = f.id AND r.id = ANY (${within}::uuid[])))
  ORDER BY f.name, f.id`;

export async function findGlossary(
  manager: EntityManager,
  organizationId: string,
): Promise<Pick<Glossary, 'terms'> | undefined> {
  const [glossary] = await sql(manager)<Pick<Glossary, 'terms'>>`
    SELECT terms FROM glossaries WHERE organization_id = ${organizationId}::uuid`;
  return glossary;
}

/** Whether the user may know of a legal hold on the recording: as an OWNER or ADMIN of the organization, or an operator. */
export async function mayKnowOfHold(
  manager: EntityManager,
  recordingId: string,
  userId: string,
): Promise<boolean> {
  const { known } = await sql(manager).row<{ known: boolean }>`
    SELECT EXISTS (
      SELECT FROM held_recordings held JOIN legal_holds hold ON hold.id = held.hold_id
      WHERE held.recording_id = ${recordingId}::uuid AND (
        EXISTS (SELECT FROM users WHERE id = ${userId}::uuid AND operator)
        OR EXISTS (SELECT FROM organization_members m WHERE m.user_id = ${userId}::uuid
                   AND m.organization_id = hold.organization_id AND m.role IN ('OWNER', 'ADMIN')))) AS known`;
  return known;
}

const VERSIONS = 100;

/** What is kept of a recording under legal hold of what was overwritten, as the items of a JSON list, oldest first. */
export async function* readHeldVersions(manager: EntityManager, recordingId: string): AsyncGenerator<string> {
  for (let from = 0, count = VERSIONS; count === VERSIONS; from += count) {
    const rows = await sql(manager)<{ version: string }>`
      SELECT json_build_object('at', at, 'kind', kind, 'value', value)::text AS version FROM held_versions
      WHERE recording_id = ${recordingId}::uuid ORDER BY at, kind, value::text LIMIT ${VERSIONS} OFFSET ${from}`;
    for (const { version } of rows) yield version;
    count = rows.length;
  }
}
