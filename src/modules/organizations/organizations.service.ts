import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { sql } from '../../platform/database/sql.js';
import { isUuid } from '../../platform/ids.js';
import type { Caller } from '../../policy/caller.js';
import { isManager, type Manager, type MemberFlags } from '../../policy/management.js';
import type { Plan, SubscriptionStatus } from '../../policy/plans.js';
import type { QuotaUse } from '../../policy/quotas.js';
import { ROLE_CATALOG, type Role } from '../../policy/roles.js';
import { QuotasService, type Quotas } from '../quotas/quotas.service.js';
import { decodeFeatureFlags, featureFlagsSql } from './public/feature-flags.sql.js';
import { nameList, type NameListQuery, type NamePage } from './name-list.js';

export interface OrganizationOfCaller {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly memberCount: number;
  /** Null for members who cannot create recordings. */
  readonly quotas: Quotas | null;
}

type ListedRow = Omit<OrganizationOfCaller, 'quotas'> & {
  readonly plan: Plan;
  readonly subscription_status: SubscriptionStatus;
  readonly subscription_ends_at: Date | null;
  readonly use: QuotaUse;
};

export interface Member {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly role: Role;
  readonly joinedAt: Date;
  /** Null for callers who neither manage members nor are this one. */
  readonly flags: MemberFlags | null;
}

export type MemberRow = Omit<Member, 'flags'> & {
  readonly features: number;
  readonly viewAllRecordings: boolean;
  readonly viewFolderRecordings: boolean;
};

export interface ListedFolderOfCaller {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly restricted: boolean;
  /** Null for callers who do not manage folders. */
  readonly restrictedTo: readonly string[] | null;
}

@Injectable()
export class OrganizationsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly quotas: QuotasService,
  ) {}

  /** The caller's organizations, ordered by name. */
  async list(caller: Caller, query: NameListQuery = {}): Promise<NamePage<OrganizationOfCaller>> {
    const page = await nameList<ListedRow>(this.dataSource, query, {
      columns: sql`o.id, o.name, m.role, o.plan, o.subscription_status, o.subscription_ends_at,
              quota_usage_of(o.id, ${this.quotas.today()}) AS use,
              (SELECT count(*)::int FROM organization_members n WHERE n.organization_id = o.id) AS "memberCount"`,
      from: sql`organization_members m JOIN organizations o ON o.id = m.organization_id`,
      where: sql`m.user_id = ${caller.id}`,
      alias: 'o',
      searched: 'o.name',
    });
    const rows = page.rows.map((row) => ({
      ...row,
      quotas: ROLE_CATALOG[row.role].seesAll ? this.quotas.forOrganization(row) : null,
    }));
    return { ...page, rows };
  }

  /** All active folders, including restricted ones: every member may know their names. Managers may request inactive ones too. */
  async folders(
    caller: Manager,
    organizationId: string,
    { all = false, ...query }: NameListQuery & { readonly all?: boolean } = {},
  ): Promise<NamePage<ListedFolderOfCaller>> {
    const role = await this.requireMember(caller, organizationId);
    const manages = isManager(role);
    if (all && !manages) throw new DomainError('FORBIDDEN', `The role ${role} cannot list inactive folders.`);
    const page = await nameList<ListedFolderOfCaller>(this.dataSource, query, {
      columns: sql`${() => FOLDER_COLUMNS}`,
      from: sql`folders f`,
      where: sql`f.organization_id = ${organizationId} AND f.deleted_at IS NULL AND (f.active OR ${all}::boolean)`,
      alias: 'f',
      searched: 'f.name',
    });
    return { ...page, rows: page.rows.map((row) => toFolder(row, manages)) };
  }

  /** All members, ordered by name. */
  async members(
    caller: Manager,
    organizationId: string,
    query: NameListQuery = {},
  ): Promise<NamePage<Member>> {
    const manages = isManager(await this.requireMember(caller, organizationId));
    const page = await nameList<MemberRow>(this.dataSource, query, {
      columns: sql`${() => MEMBER_LIST.columns}`,
      from: sql`${() => MEMBER_LIST.from}`,
      where: sql`m.organization_id = ${organizationId}`,
      alias: 'u',
      searched: `u.name || ' ' || u.email`,
    });
    return { ...page, rows: page.rows.map((row) => toMember(row, manages || row.id === caller.id)) };
  }

  /** One member, with their flags. 404 `MEMBER_NOT_FOUND`. */
  async member(
    organizationId: string,
    userId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Member> {
    const [row]: MemberRow[] = await manager.query(ONE_MEMBER, [organizationId, userId]);
    if (!row) throw new DomainError('MEMBER_NOT_FOUND');
    return toMember(row, true);
  }

  /** 404 when there is no such organization, 403 when the caller is not a member of it; returns the caller's role. */
  async requireMember(caller: Manager, organizationId: string): Promise<Role> {
    if (!isUuid(organizationId)) throw new DomainError('ORGANIZATION_NOT_FOUND');
    const [found]: { role: Role | null }[] = await this.dataSource.query(
      `SELECT m.role FROM organizations o
       LEFT JOIN organization_members m ON m.organization_id = o.id AND m.user_id = $2
       WHERE o.id = $1 AND o.deleted_at IS NULL`,
      [organizationId, caller.id],
    );
    if (!found) throw new DomainError('ORGANIZATION_NOT_FOUND');
    if (caller.id === null) return 'OWNER';
    if (found.role === null) throw new DomainError('FORBIDDEN', 'You are not a member of this organization.');
    return found.role;
  }
}

export const MEMBER_LIST = {
  columns: `u.id, u.email, u.email_verified AS "emailVerified", u.name, m.role, m.created_at AS "joinedAt", ${featureFlagsSql('m')} AS features,
              m.view_all_recordings AS "viewAllRecordings", m.view_folder_recordings AS "viewFolderRecordings"`,
  from: 'organization_members m JOIN users u ON u.id = m.user_id',
} as const;

const ONE_MEMBER = `SELECT ${MEMBER_LIST.columns} FROM ${MEMBER_LIST.from} WHERE m.organization_id = $1 AND m.user_id = $2`;

/** Of the folder `f`. */
export const FOLDER_COLUMNS = `f.id, f.name, f.active, f.restricted,
              (SELECT COALESCE(json_agg(fm.user_id ORDER BY fm.user_id), '[]') FROM folder_members fm
               WHERE fm.folder_id = f.id) AS "restrictedTo"`;

export function toFolder(row: ListedFolderOfCaller, manages: boolean): ListedFolderOfCaller {
  return { ...row, restrictedTo: manages && row.restricted ? row.restrictedTo : null };
}

/** Flags are for those who manage members, and for the member. */
export function toMember(
  { features, viewAllRecordings, viewFolderRecordings, ...member }: MemberRow,
  withFlags: boolean,
): Member {
  if (!withFlags) return { ...member, flags: null };
  return { ...member, flags: { ...decodeFeatureFlags(features), viewAllRecordings, viewFolderRecordings } };
}
