import type { EntityManager } from 'typeorm';
import { run, sql, type Sql } from '../../../platform/database/sql.js';
import type { MemberFlags } from '../../../policy/management.js';
import type { Role } from '../../../policy/roles.js';
import type { User } from '../../users/entities/user.entity.js';
import { readNameList, type NameListQuery, type NamePage } from '../name-list.queries.js';
import { decodeFeatureFlags, featureFlagsSql } from '../public/feature-flags.sql.js';
import type { MemberId } from '../public/member-key.js';

export interface Member extends Readonly<Pick<User, 'id' | 'email' | 'emailVerified' | 'name'>> {
  readonly role: Role;
  readonly joinedAt: Date;
  /** Null for callers who neither manage members nor are this one. */
  readonly flags: MemberFlags | null;
}

type MemberRow = Omit<Member, 'flags'> & {
  readonly features: number;
  readonly viewAllRecordings: boolean;
  readonly viewFolderRecordings: boolean;
};

const COLUMNS = sql`u.id, u.email, u.email_verified AS "emailVerified", u.name, m.role, m.created_at AS "joinedAt",
  ${() => featureFlagsSql('m')} AS features, m.view_all_recordings AS "viewAllRecordings",
  m.view_folder_recordings AS "viewFolderRecordings"`;

const MEMBERS = sql`organization_members m JOIN users u ON u.id = m.user_id`;

/** Reads the members of an organization, ordered by name, with their flags; service accounts are none of them. */
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
  const [row] = await run<MemberRow>(
    manager,
    sql`SELECT ${COLUMNS} FROM ${MEMBERS} WHERE m.organization_id = ${organizationId}::uuid AND m.user_id = ${userId}::uuid`,
  );
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
  const rows = await run<MemberRow & Omit<ViewedMember, 'member'>>(manager, membersFor(viewerId, members));
  return rows.map(({ organizationId, viewerRole, ...row }) => ({
    organizationId,
    viewerRole,
    member: toMember(row),
  }));
}

const membersFor = (viewerId: string, members: readonly MemberId[]): Sql => sql`
  SELECT ${COLUMNS}, m.organization_id AS "organizationId", viewer.role AS "viewerRole"
  FROM ${MEMBERS}
  JOIN organization_members viewer ON viewer.organization_id = m.organization_id AND viewer.user_id = ${viewerId}::uuid
  WHERE (m.organization_id, m.user_id) IN (SELECT * FROM unnest(
    ${members.map(({ organizationId }) => organizationId)}::uuid[], ${members.map(({ userId }) => userId)}::uuid[]))`;

function toMember({ features, viewAllRecordings, viewFolderRecordings, ...member }: MemberRow): Member {
  return { ...member, flags: { ...decodeFeatureFlags(features), viewAllRecordings, viewFolderRecordings } };
}
