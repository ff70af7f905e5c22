import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { DomainError } from '../../contract/domain-error.js';
import { run, sql, type Sql } from '../../platform/database/sql.js';
import { isUuid } from '../../platform/ids.js';
import type { Caller } from '../../policy/caller.js';
import type { COMMAND_LINE } from '../../policy/management.js';
import type { FeatureFlags, Plan, SubscriptionStatus } from '../../policy/plans.js';
import type { QuotaUse } from '../../policy/quotas.js';
import { ROLE_CATALOG, type Role } from '../../policy/roles.js';
import { QuotasService, type Quotas } from '../quotas/quotas.service.js';
import { decodeFeatureFlags, featureFlagsSql } from './public/feature-flags.sql.js';
import { nameList, type NameListQuery, type NamePage } from './name-list.js';

/** An offer of the ownership. */
export interface PendingTransfer {
  readonly fromUserId: string;
  readonly toUserId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface OrganizationDetails {
  readonly id: string;
  readonly name: string;
  /** Null for operators who are not members, and on the command line. */
  readonly role: Role | null;
  readonly memberCount: number;
  /** Null for members who cannot see all recordings. */
  readonly quotas: Quotas | null;
  readonly features: FeatureFlags;
  readonly membersMayTakeRecordings: boolean;
  readonly plan: Plan;
  readonly subscriptionStatus: SubscriptionStatus;
  readonly subscriptionEndsAt: Date | null;
  readonly createdAt: Date;
  /** Null for those who could neither accept nor cancel it. */
  readonly transfer: PendingTransfer | null;
}

type DetailsRow = Pick<
  OrganizationDetails,
  'id' | 'name' | 'role' | 'memberCount' | 'membersMayTakeRecordings' | 'plan' | 'createdAt'
> & {
  readonly flags: number;
  readonly subscription_status: SubscriptionStatus;
  readonly subscription_ends_at: Date | null;
  readonly use: QuotaUse;
  readonly from_user_id: string | null;
  readonly to_user_id: string;
  readonly offered_at: Date;
  readonly offer_expires_at: Date;
};

type Viewer = Pick<Caller, 'id' | 'operator'> | typeof COMMAND_LINE;

const detailsFor = (viewerId: string | null, today: string, now: Date) => ({
  columns: sql`o.id, o.name, m.role, o.plan, o.subscription_status, o.subscription_ends_at, o.created_at AS "createdAt",
         o.members_may_take_recordings AS "membersMayTakeRecordings", ${() => featureFlagsSql('o')} AS flags, quota_usage_of(o.id, ${today}) AS use,
         (SELECT count(*)::int FROM organization_members n WHERE n.organization_id = o.id) AS "memberCount",
         t.from_user_id, t.to_user_id, t.created_at AS offered_at, t.expires_at AS offer_expires_at`,
  from: sql`organizations o
  LEFT JOIN organization_members m ON m.organization_id = o.id AND m.user_id = ${viewerId}
  LEFT JOIN organization_transfers t ON t.organization_id = o.id AND t.expires_at > ${now}`,
  where: sql`o.deleted_at IS NULL`,
});

@Injectable()
export class OrganizationDetailsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly quotas: QuotasService,
    private readonly clock: Clock,
  ) {}

  /**
   * For members, operators and the command line: 404 `ORGANIZATION_NOT_FOUND`, or 403 `FORBIDDEN` for others. A change
   * passes the `manager` of its transaction, so that it replies with what it has done, not with what came after it.
   */
  async get(
    caller: Viewer,
    organizationId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<OrganizationDetails> {
    if (!isUuid(organizationId)) throw new DomainError('ORGANIZATION_NOT_FOUND');
    const [row] = await this.read(manager, caller, sql`o.id = ${organizationId}`);
    if (!row) throw new DomainError('ORGANIZATION_NOT_FOUND');
    if (row.role === null && caller.id !== null && !caller.operator) {
      throw new DomainError('FORBIDDEN', 'You are not a member of this organization.');
    }
    return this.toDetails(caller, row);
  }

  /** Several by their ids, as seen by the transaction of `manager`; without those that the user is not a member of. */
  async ofMember(
    manager: EntityManager,
    userId: string,
    organizationIds: readonly string[],
  ): Promise<readonly OrganizationDetails[]> {
    const viewer = { id: userId, operator: false };
    const rows = await this.read(
      manager,
      viewer,
      sql`o.id = ANY (${organizationIds}) AND m.user_id IS NOT NULL`,
    );
    return rows.map((row) => this.toDetails(viewer, row));
  }

  /** All organizations, ordered by name. */
  async list(caller: typeof COMMAND_LINE, query: NameListQuery): Promise<NamePage<OrganizationDetails>> {
    const page = await nameList<DetailsRow>(this.dataSource, query, {
      ...this.partsFor(caller),
      alias: 'o',
      searched: 'o.name',
    });
    return { ...page, rows: page.rows.map((row) => this.toDetails(caller, row)) };
  }

  private read(manager: EntityManager, viewer: Viewer, which: Sql): Promise<DetailsRow[]> {
    const { columns, from, where } = this.partsFor(viewer);
    return run(manager, sql`SELECT ${columns} FROM ${from} WHERE ${where} AND ${which}`);
  }

  private partsFor({ id }: Viewer): ReturnType<typeof detailsFor> {
    return detailsFor(id, this.quotas.today(), this.clock.now());
  }

  private toDetails(caller: Viewer, row: DetailsRow): OrganizationDetails {
    const seesQuotas = row.role === null || ROLE_CATALOG[row.role].seesAll;
    return {
      ...row,
      quotas: seesQuotas ? this.quotas.forOrganization(row) : null,
      features: decodeFeatureFlags(row.flags),
      subscriptionStatus: row.subscription_status,
      subscriptionEndsAt: row.subscription_ends_at,
      transfer: transferFor(caller, row),
    };
  }
}

function transferFor({ id }: Viewer, row: DetailsRow): PendingTransfer | null {
  const { from_user_id: fromUserId, to_user_id: toUserId, role } = row;
  if (fromUserId === null || (role !== 'OWNER' && toUserId !== id)) return null;
  return { fromUserId, toUserId, createdAt: row.offered_at, expiresAt: row.offer_expires_at };
}
