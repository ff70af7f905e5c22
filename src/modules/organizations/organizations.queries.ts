import type { EntityManager } from 'typeorm';
import { refuseTaken, type Metadata } from '../../contract/external-ids.js';
import {
  findTakenExternalIds,
  type ExternalIdClaim,
} from '../../platform/database/external-ids/external-ids.queries.js';
import { sql } from '../../platform/database/sql.js';
import type { QuotaUse } from '../../policy/plans.js';
import type { Reach } from '../../policy/reach.js';
import type { Role } from '../../policy/roles.js';
import type { OrganizationTerms } from '../quotas/public/quota-terms.js';
import { readNameList, type NameListQuery, type NamePage } from './name-list.queries.js';
import { BRAND, type Brand } from './public/brand.sql.js';
import { featureFlagsSql } from './public/feature-flags.sql.js';

/** An organization as one of its members sees it in a list. */
export interface ListedRow extends OrganizationTerms {
  readonly id: string;
  readonly name: string;
  readonly externalId: string | null;
  readonly metadata: Metadata;
  readonly role: Role;
  readonly memberCount: number;
  readonly use: QuotaUse;
}

export interface DetailsRow extends Omit<ListedRow, 'role'> {
  /** Null for a viewer who is not a member. */
  readonly role: Role | null;
  readonly membersMayTakeRecordings: boolean;
  readonly apiKeyMaxDays: number | null;
  readonly binDays: number | null;
  readonly rememberVoices: boolean;
  readonly ssoProvider: string | null;
  readonly oauthClients: readonly string[] | null;
  readonly branding: Brand;
  readonly createdAt: Date;
  readonly flags: number;
  /** Null without an offer of the ownership; the other columns of it are null then, too. */
  readonly from_user_id: string | null;
  readonly to_user_id: string;
  readonly offered_at: Date;
  readonly offer_expires_at: Date;
}

/** Who looks at organizations, and when: `today` in UTC. */
export interface Viewing {
  readonly viewerId: string | null;
  readonly today: string;
  readonly now: Date;
}

const LISTED = sql`o.id, o.name, o.external_id AS "externalId", o.metadata, m.role, o.plan, o.subscription_status, o.subscription_ends_at,
  (SELECT count(*)::int FROM organization_members n WHERE n.organization_id = o.id)
    - (SELECT count(*)::int FROM users s WHERE s.service_of = o.id) AS "memberCount"`;

const partsOfDetails = ({ viewerId, today, now }: Viewing) => ({
  columns: sql`${LISTED}, quota_usage_of(o.id, ${today}::date) AS use, o.created_at AS "createdAt",
    o.members_may_take_recordings AS "membersMayTakeRecordings",
    o.remember_voices AS "rememberVoices", o.bin_days AS "binDays", o.api_key_max_days AS "apiKeyMaxDays", o.sso_provider AS "ssoProvider", o.oauth_clients AS "oauthClients",
    ${() => BRAND} AS branding, ${() => featureFlagsSql('o')} AS flags,
    t.from_user_id, t.to_user_id, t.created_at AS offered_at, t.expires_at AS offer_expires_at`,
  from: sql`organizations o
    LEFT JOIN organization_members m ON m.organization_id = o.id AND m.user_id = ${viewerId}::uuid
    LEFT JOIN organization_transfers t ON t.organization_id = o.id AND t.expires_at > ${now}::timestamptz`,
  where: sql`o.deleted_at IS NULL`,
});

/** Reads the organizations that a user is a member of and their API key reaches, ordered by name. */
export async function listOrganizationsOfUser(
  manager: EntityManager,
  {
    viewerId,
    today,
    reach: { organizationIds, refusedBy },
  }: Pick<Viewing, 'viewerId' | 'today'> & { readonly reach: Reach },
  query: NameListQuery,
): Promise<NamePage<ListedRow>> {
  return readNameList(manager, query, {
    columns: sql`${LISTED}, quota_usage_of(o.id, ${today}::date) AS use`,
    from: sql`organization_members m JOIN organizations o ON o.id = m.organization_id`,
    where: sql`m.user_id = ${viewerId}::uuid
      AND (${organizationIds}::uuid[] IS NULL OR o.id = ANY (${organizationIds}::uuid[]))
      AND o.id <> ALL (${refusedBy}::uuid[])`,
    alias: 'o',
    searched: 'o.name',
  });
}

/** Reads all organizations, ordered by name. */
export async function listAllOrganizations(
  manager: EntityManager,
  viewing: Viewing,
  query: NameListQuery,
): Promise<NamePage<DetailsRow>> {
  return readNameList(manager, query, { ...partsOfDetails(viewing), alias: 'o', searched: 'o.name' });
}

export async function findOrganizations(
  manager: EntityManager,
  viewing: Viewing,
  ids: readonly string[],
): Promise<DetailsRow[]> {
  const { columns, from, where } = partsOfDetails(viewing);
  return sql(manager)`SELECT ${columns} FROM ${from} WHERE ${where} AND o.id = ANY (${ids}::uuid[])`;
}

/** Returns the role of a user, null if they are not a member; undefined if there is no such organization. */
export async function findRole(
  manager: EntityManager,
  organizationId: string,
  userId: string | null,
): Promise<Role | null | undefined> {
  const [row] = await sql(manager)<{ role: Role | null }>`
    SELECT m.role FROM organizations o
    LEFT JOIN organization_members m ON m.organization_id = o.id AND m.user_id = ${userId}
    WHERE o.id = ${organizationId}::uuid AND o.deleted_at IS NULL`;
  return row?.role;
}

/** Locks what has share links by its members: as when a member leaves, deleting a recording deletes its share links. */
export async function lockSharedRecordings(manager: EntityManager, organizationId: string): Promise<void> {
  await sql(manager)`
    SELECT FROM recordings
    WHERE id IN (SELECT recording_id FROM share_links WHERE organization_id = ${organizationId}::uuid)
    ORDER BY id FOR NO KEY UPDATE`;
}

/**
 * Refuses an external id of another organization with the same OWNER: 409 `CONFLICT`. Asked only when the id is given:
 * somebody who becomes OWNER later may own two with the same, which must not keep an organization from them. `ext:` is
 * then ambiguous to them (400), as it is to a member of both.
 */
export async function requireFreeForOrganization(
  manager: EntityManager,
  claim: ExternalIdClaim,
): Promise<void> {
  const taken = await findTakenExternalIds(
    manager,
    [claim],
    (externalIds) => sql`
      SELECT o.id, o.external_id AS "externalId"
      FROM organizations o
        JOIN organization_members theirs ON theirs.organization_id = o.id AND theirs.role = 'OWNER'
        JOIN organization_members own ON own.user_id = theirs.user_id AND own.role = 'OWNER'
      WHERE o.external_id = ANY (${externalIds}::text[]) AND o.deleted_at IS NULL
        AND own.organization_id = ${claim.id}::uuid`,
  );
  refuseTaken(taken, 'organization');
}

/** Counts the recordings of an organization: all, and those of them that are in the bin. */
export const countRecordings = (
  manager: EntityManager,
  organizationId: string,
): Promise<{ readonly count: number; readonly deleted: number }> => sql(manager).row`
  SELECT count(*)::int AS count, count(deleted_at)::int AS deleted FROM recordings
  WHERE organization_id = ${organizationId}::uuid OR deleted_organization_id = ${organizationId}::uuid`;

/** Counts an email of a user to a recipient, and returns how many there are on that day. */
export async function countEmail(
  manager: EntityManager,
  { userId, address, day }: { readonly userId: string; readonly address: string; readonly day: string },
): Promise<number> {
  const [row] = await sql(manager)<{ emails: number }>`
    INSERT INTO emailed_recipients (user_id, recipient, day, emails)
    VALUES (${userId}::uuid, sha256(convert_to(${userId}::uuid::text || lower(${address}::text), 'UTF8')), ${day}::date, 1)
    ON CONFLICT (user_id, recipient) DO UPDATE SET emails = emailed_recipients.emails + 1
    RETURNING emails`;
  return row?.emails ?? 0;
}
