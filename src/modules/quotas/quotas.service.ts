import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { Clock } from '../../platform/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { preparedQuery } from '../../platform/database/prepared-query.js';
import type { Caller } from '../../policy/caller.js';
import { organizationStanding, type Plan, type SubscriptionStatus } from '../../policy/plans.js';
import {
  exceededQuota,
  type QuotaDemand,
  type QuotaKind,
  type QuotaLimits,
  type QuotaUse,
} from '../../policy/quotas.js';

/** Limits and use of a user or an organization. */
export interface Quotas {
  readonly limits: QuotaLimits;
  readonly use: QuotaUse;
  /** The next midnight (UTC), when uploads are counted anew. */
  readonly resetsAt: Date;
}

/** Whom a recording counts towards: its organization, or else its owner. */
export interface QuotaScope {
  readonly userId: string | null;
  readonly organizationId: string | null;
}

interface QuotaHolder {
  readonly plan: Plan;
  readonly isOrganization: boolean;
}

interface OrganizationRow {
  readonly plan: Plan;
  readonly subscription_status: SubscriptionStatus;
  readonly subscription_ends_at: Date | null;
}

/** `lock_quota_usage` makes other transactions that ask for room in the same scope wait for the end of this one. */
const LOCKED_USER = 'SELECT plan, lock_quota_usage(id, $2) AS use FROM users WHERE id = $1';
const LOCKED_ORGANIZATION = `
  SELECT plan, subscription_status, subscription_ends_at, lock_quota_usage(id, $2) AS use
  FROM organizations WHERE id = $1`;

const USER_USE = { name: 'quota-use', text: 'SELECT quota_usage_of($1, $2) AS use' };

const MAKE_ROOM = 'Delete recordings, or have the limit raised.';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Compares what users and organizations have, which triggers keep in `quota_usage`, with the limits of their plans. */
@Injectable()
export class QuotasService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'quotas'>,
  ) {}

  /** Today in UTC, as `quota_usage_of` takes it. */
  today(): string {
    return this.clock.now().toISOString().slice(0, 10);
  }

  /** The quotas of the caller's personal recordings. */
  async ofUser({ id, plan }: Caller): Promise<Quotas> {
    const [row] = await preparedQuery<{ use: QuotaUse }>(this.dataSource, USER_USE, [id, this.today()]);
    if (!row) throw new Error('quota_usage_of returned no row');
    return this.of(plan, row.use);
  }

  /** The quotas of an organization whose plan and use have been read already. */
  ofOrganization(row: OrganizationRow & { readonly use: QuotaUse }): Quotas {
    return this.of(this.effectivePlan(row), row.use);
  }

  /**
   * To be called in the transaction that adds what it demands, after adding it, as late as possible: until the transaction
   * ends, others of the same scope wait here. Throws `QUOTA_EXCEEDED` if it is too much.
   */
  async requireRoom(manager: EntityManager, scope: QuotaScope, demand: QuotaDemand): Promise<void> {
    if (demand.added + demand.ahead <= 0 && !demand.creates && !demand.starts) return;
    const found = await this.lock(manager, scope);
    if (!found) return;
    const { holder, use } = found;
    const quotas = this.of(holder.plan, use);
    const exceeded = exceededQuota(quotas.limits, use, demand);
    if (exceeded) throw new DomainError('QUOTA_EXCEEDED', explainQuota(exceeded, holder, quotas, demand));
  }

  /** Null when the user or organization has been deleted. */
  private async lock(
    manager: EntityManager,
    { userId, organizationId }: QuotaScope,
  ): Promise<{ holder: QuotaHolder; use: QuotaUse } | null> {
    if (organizationId !== null) {
      const [row]: (OrganizationRow & { use: QuotaUse })[] = await manager.query(LOCKED_ORGANIZATION, [
        organizationId,
        this.today(),
      ]);
      return row ? { holder: { plan: this.effectivePlan(row), isOrganization: true }, use: row.use } : null;
    }
    const [row]: { plan: Plan; use: QuotaUse }[] = await manager.query(LOCKED_USER, [userId, this.today()]);
    return row ? { holder: { plan: row.plan, isOrganization: false }, use: row.use } : null;
  }

  private effectivePlan(row: OrganizationRow): Plan {
    const subscription = { status: row.subscription_status, endsAt: row.subscription_ends_at };
    return organizationStanding(row.plan, subscription, this.clock.now()).plan;
  }

  private of(plan: Plan, use: QuotaUse): Quotas {
    const midnight = Math.floor(this.clock.now().getTime() / DAY_MS) * DAY_MS;
    return { limits: this.settings.quotas[plan], use, resetsAt: new Date(midnight + DAY_MS) };
  }
}

/** Says which limit there is, how much of it was used before, and what helps. */
function explainQuota(
  kind: QuotaKind,
  { plan, isOrganization }: QuotaHolder,
  { limits, use, resetsAt }: Quotas,
  { creates, starts = creates, added, ahead }: QuotaDemand,
): string {
  const included = `${isOrganization ? "The organization's" : 'Your'} ${plan} plan includes ${limits[kind]}`;
  switch (kind) {
    case 'recordings':
      return `${included} recordings, and there are ${use.recordings - Number(creates)}. ${MAKE_ROOM}`;
    case 'uploadsPerDay':
      return `${included} uploads a day, and ${use.uploadsToday - Number(starts)} have been started today. The next day begins at ${resetsAt.toISOString()}.`;
    case 'storedBytes':
      return `${included} bytes, of which ${use.storedBytes - added} are used, and at least ${added + ahead} more are needed. ${MAKE_ROOM}`;
  }
}
