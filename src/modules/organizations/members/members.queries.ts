import type { EntityManager } from 'typeorm';
import { sql } from '../../../platform/database/sql.js';
import type { MemberFlags } from '../../../policy/management.js';
import { ROLES, type Role } from '../../../policy/roles.js';
import type { User } from '../../users/entities/user.entity.js';
import { readNameList, type NameListQuery, type NamePage } from '../name-list.queries.js';
import { decodeFeatureFlags, featureFlagsSql } from '../public/feature-flags.sql.js';
import type { MemberId } from '../entities/organization-member.entity.js';
import type { LeftBehind, DisabledWebhook } from '../public/departure.response.dto.js';

export interface Member extends Readonly<Pick<User, 'id' | 'email' | 'emailVerified' | 'name'>> {
  readonly role: Role;
  readonly joinedAt: Date;
  /** Null for callers who neither manage members nor are this one. */
  readonly features: MemberFlags | null;
}

type MemberRow = Omit<Member, 'features'> & {
  readonly flags: number;
  readonly viewAllRecordings: boolean;
  readonly viewFolderRecordings: boolean;
};

const COLUMNS = sql`u.id, u.email, u.email_verified AS "emailVerified", u.name, m.role, m.created_at AS "joinedAt",
  ${() => featureFlagsSql('m')} AS flags, m.view_all_recordings AS "viewAllRecordings",
  m.view_folder_recordings AS "viewFolderRecordings"`;

const MEMBERS = sql`organization_members m JOIN users u ON u.id = m.user_id`;

/** Reads the members of an organization, ordered by name, with their flags and without service accounts. */
export async function listMembers(
  manager: EntityManager,
  organizationId: string,
  query: NameListQuery,
): Promise<NamePage<Member>> {
  const page = await readNameList<MemberRow>(manager, query, {
    columns: COLUMNS,
    from: MEMBERS,
    where: sql`m.organization_id = ${organizationId}::uuid AND u.service_of IS NULL`,
    alias: 'u',
    searched: `u.name || ' ' || u.email`,
  });
  return { ...page, rows: page.rows.map(toMember) };
}

export async function findMember(
  manager: EntityManager,
  { organizationId, userId }: MemberId,
): Promise<Member | undefined> {
  const [row] = await sql(manager)<MemberRow>`
    SELECT ${COLUMNS} FROM ${MEMBERS} WHERE m.organization_id = ${organizationId}::uuid AND m.user_id = ${userId}::uuid`;
  return row && toMember(row);
}

/** A member, as one found for a viewer who is a member of the same organization. */
export interface ViewedMember {
  readonly organizationId: string;
  readonly viewerRole: Role;
  readonly member: Member;
}

/** Finds members of the organizations of a viewer, with their flags. */
export async function findMembersFor(
  manager: EntityManager,
  viewerId: string,
  members: readonly MemberId[],
): Promise<ViewedMember[]> {
  const rows = await sql(manager)<MemberRow & Omit<ViewedMember, 'member'>>`
    SELECT ${COLUMNS}, m.organization_id AS "organizationId", viewer.role AS "viewerRole"
    FROM ${MEMBERS}
    JOIN organization_members viewer ON viewer.organization_id = m.organization_id AND viewer.user_id = ${viewerId}::uuid
    WHERE (m.organization_id, m.user_id) IN (SELECT * FROM unnest(
      ${members.map(({ organizationId }) => organizationId)}::uuid[], ${members.map(({ userId }) => userId)}::uuid[]))`;
  return rows.map(({ organizationId, viewerRole, ...row }) => ({
    organizationId,
    viewerRole,
    member: toMember(row),
  }));
}

function toMember({ flags, viewAllRecordings, viewFolderRecordings, ...member }: MemberRow): Member {
  return { ...member, features: { ...decodeFeatureFlags(flags), viewAllRecordings, viewFolderRecordings } };
}

/** Makes another member responsible for the webhooks that this one is responsible for. */
export async function handOverWebhooks(
  manager: EntityManager,
  { organizationId, userId }: MemberId,
  to: string,
): Promise<void> {
  await sql(manager)`
    UPDATE webhooks SET created_by = ${to}::uuid
    WHERE organization_id = ${organizationId}::uuid AND created_by = ${userId}::uuid`;
}

/** Locks what they own, and what they share: creating and deleting a share link locks the recording first. */
export async function lockRecordingsOfMember(
  manager: EntityManager,
  { organizationId, userId }: MemberId,
): Promise<void> {
  await sql(manager)`
    SELECT FROM recordings
    WHERE organization_id = ${organizationId}::uuid
      AND (owner_id = ${userId}::uuid OR id IN (
        SELECT recording_id FROM share_links WHERE created_by = ${userId}::uuid AND organization_id = ${organizationId}::uuid))
    ORDER BY id FOR NO KEY UPDATE`;
}

export async function countEnding(
  manager: EntityManager,
  { organizationId, userId }: MemberId,
): Promise<Omit<LeftBehind, 'disabledWebhooks'>> {
  return sql(manager).row`
    SELECT
      (SELECT count(*)::int FROM share_links
       WHERE organization_id = ${organizationId}::uuid AND created_by = ${userId}::uuid) AS "endedShareLinks",
      (SELECT count(*)::int FROM invitations
       WHERE organization_id = ${organizationId}::uuid AND invited_by = ${userId}::uuid) AS "endedInvitations"`;
}

/** Finds the most privileged other member who is a person, of these the longest-standing one. */
export async function findSuccessor(
  manager: EntityManager,
  { organizationId, userId }: MemberId,
): Promise<string | null> {
  const [row] = await sql(manager)<{ user_id: string }>`
    SELECT m.user_id FROM organization_members m JOIN users u ON u.id = m.user_id AND u.service_of IS NULL
    WHERE m.organization_id = ${organizationId}::uuid AND m.user_id <> ${userId}::uuid
    ORDER BY array_position(${ROLES}::text[], m.role), m.created_at, m.user_id LIMIT 1`;
  return row?.user_id ?? null;
}

/** Gives at most `limit` recordings of a member to another, and returns how many there were. */
export async function handOverSomeRecordings(
  manager: EntityManager,
  { organizationId, userId }: MemberId,
  to: string,
  limit: number,
): Promise<number> {
  return sql(manager).count`
    WITH batch AS (
      SELECT id FROM recordings WHERE organization_id = ${organizationId}::uuid AND owner_id = ${userId}::uuid
      LIMIT ${limit}::int)
    UPDATE recordings r SET owner_id = ${to}::uuid FROM batch WHERE r.id = batch.id`;
}

/** Finds the webhooks that the trigger on memberships has disabled in this transaction. */
export async function findDisabledWebhooks(
  manager: EntityManager,
  { organizationId, userId }: MemberId,
): Promise<DisabledWebhook[]> {
  return sql(manager)`
    SELECT id, organization_id AS "organizationId", url_masked AS url, description FROM webhooks
    WHERE organization_id = ${organizationId}::uuid AND created_by = ${userId}::uuid
      AND disabled_reason = 'creator_left' AND xmin = pg_current_xact_id()::xid
    ORDER BY created_at, id`;
}
