import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { isUuid } from '../../platform/ids.js';
import type { Caller } from '../../policy/caller.js';
import type { Plan, SubscriptionStatus } from '../../policy/plans.js';
import type { QuotaUse } from '../../policy/quotas.js';
import { ROLE_CATALOG, type Role } from '../../policy/roles.js';
import { QuotasService, type Quotas } from '../quotas/quotas.service.js';
import { Folder } from './entities/folder.entity.js';
import { Organization } from './entities/organization.entity.js';
import { OrganizationMember } from './entities/organization-member.entity.js';

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
  readonly name: string;
  readonly role: Role;
}

@Injectable()
export class OrganizationsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly quotas: QuotasService,
  ) {}

  /** The caller's organizations, ordered by name. */
  async list(caller: Caller): Promise<OrganizationOfCaller[]> {
    const rows: ListedRow[] = await this.dataSource.query(
      `SELECT o.id, o.name, m.role, o.plan, o.subscription_status, o.subscription_ends_at,
              quota_usage_of(o.id, $2) AS use,
              (SELECT count(*)::int FROM organization_members n WHERE n.organization_id = o.id) AS "memberCount"
       FROM organization_members m JOIN organizations o ON o.id = m.organization_id
       WHERE m.user_id = $1 ORDER BY o.name, o.id`,
      [caller.id, this.quotas.today()],
    );
    return rows.map((row) => ({
      ...row,
      quotas: ROLE_CATALOG[row.role].seesAll ? this.quotas.ofOrganization(row) : null,
    }));
  }

  /** All active folders, including restricted ones: every member may know their names. */
  async folders(caller: Caller, organizationId: string): Promise<Folder[]> {
    await this.requireMember(caller, organizationId);
    return this.dataSource.manager.find(Folder, {
      where: { organizationId, active: true },
      order: { name: 'ASC', id: 'ASC' },
    });
  }

  /** All members, ordered by name. */
  async members(caller: Caller, organizationId: string): Promise<Member[]> {
    await this.requireMember(caller, organizationId);
    return this.dataSource.query(
      `SELECT u.id, u.email, u.name, m.role
       FROM organization_members m JOIN users u ON u.id = m.user_id
       WHERE m.organization_id = $1 ORDER BY u.name, u.id`,
      [organizationId],
    );
  }

  /** 404 when there is no such organization, 403 when the caller is not a member of it. */
  async requireMember(caller: Caller, organizationId: string): Promise<void> {
    if (!isUuid(organizationId)) throw new DomainError('ORGANIZATION_NOT_FOUND');
    const { manager } = this.dataSource;
    if (await manager.existsBy(OrganizationMember, { organizationId, userId: caller.id })) return;
    if (!(await manager.existsBy(Organization, { id: organizationId }))) {
      throw new DomainError('ORGANIZATION_NOT_FOUND');
    }
    throw new DomainError('FORBIDDEN', 'You are not a member of this organization.');
  }
}
