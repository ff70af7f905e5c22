import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { Clock } from '../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import type { Caller } from '../../policy/caller.js';
import {
  exceededQuota,
  type Plan,
  type QuotaDemand,
  type QuotaKind,
  type QuotaLimits,
  type QuotaUse,
} from '../../policy/plans.js';
import { reachesEverything, reachOf, type Asker } from '../../policy/reach.js';
import { effectivePlan, quotasOf, type OrganizationTerms } from './public/quota-terms.js';
import {
  deleteEarlierUses,
  foldUses,
  lockUseOfOrganization,
  lockUseOfUser,
  readUseOfUser,
} from './quotas.queries.js';
import { DAY_MS } from '../../lib/durations.js';

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

const FOLD_JOB = 'quotas.fold-usage';

/** The settings that raise the limits, without the plan. */
const SETTING: Readonly<Record<QuotaKind, string>> = {
  recordings: 'RECORDINGS',
  uploadsPerDay: 'UPLOADS_PER_DAY',
  storedBytes: 'STORED_BYTES',
};

const UNITS: Readonly<Record<QuotaKind, string>> = {
  recordings: 'recordings',
  uploadsPerDay: 'uploads a day',
  storedBytes: 'bytes',
};

const NOTHING: QuotaUse = { storedBytes: 0, recordings: 0, uploadsToday: 0 };

/** Compares what users and organizations have, which triggers keep in `quota_usage`, with the limits of their plans. */
@Injectable()
export class QuotasService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'quotas'>,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(FOLD_JOB, () => this.fold(), { schedule: '* * * * *' });
  }

  /** Returns today in UTC, as `quota_usage_of` takes it. */
  today(): string {
    return this.clock.now().toISOString().slice(0, 10);
  }

  /** Reads the quotas of the caller's personal recordings, of which there are none for a key that reaches none. */
  async readForUser({ id, plan, apiKey }: Caller): Promise<Quotas> {
    const use = reachesEverything(apiKey)
      ? await readUseOfUser(this.dataSource.manager, id, this.today())
      : NOTHING;
    return this.withLimits(plan, use);
  }

  /** Returns the quotas of an organization whose plan and use have been read already. */
  forOrganization(row: OrganizationTerms & { readonly use: QuotaUse }): Quotas {
    return this.withLimits(this.effectivePlan(row), row.use);
  }

  /**
   * Must be called in the transaction that adds what it demands, after adding it, as late as possible: until the
   * transaction ends, others of the same scope wait here. Throws `QUOTA_EXCEEDED` if it is too much. The message says how
   * much is used, but not to a key that is limited to folders, nor, of an organization, without an `asker`: everyone who
   * sees the recording can then read it.
   */
  async requireRoom(
    manager: EntityManager,
    scope: QuotaScope,
    demand: QuotaDemand,
    asker?: Asker,
  ): Promise<void> {
    if (demand.added + demand.ahead <= 0 && !demand.creates && !demand.starts) return;
    const locked = await this.lock(manager, scope);
    if (!locked) return;
    const { plan, use } = locked;
    const quotas = this.withLimits(plan, use);
    const exceeded = exceededQuota(quotas.limits, use, demand);
    if (!exceeded) return;
    const isOrganization = scope.organizationId !== null;
    const seesUse = asker ? reachOf(asker).folderIds === null : !isOrganization;
    throw explainQuota(exceeded, { plan, isOrganization }, quotas, seesUse ? demand : null);
  }

  /** Undefined when the user or organization has been deleted. */
  private async lock(
    manager: EntityManager,
    { userId, organizationId }: QuotaScope,
  ): Promise<{ plan: Plan; use: QuotaUse } | undefined> {
    if (organizationId === null) return lockUseOfUser(manager, userId, this.today());
    const row = await lockUseOfOrganization(manager, organizationId, this.today());
    return row && { plan: this.effectivePlan(row), use: row.use };
  }

  /** Keeps `quota_usage` small: triggers add a row for every change, and only two days are needed. */
  async fold(): Promise<void> {
    const yesterday = new Date(this.clock.now().getTime() - DAY_MS).toISOString().slice(0, 10);
    await deleteEarlierUses(this.dataSource.manager, yesterday);
    await foldUses(this.dataSource.manager);
  }

  private effectivePlan(row: OrganizationTerms): Plan {
    return effectivePlan(row, this.clock.now());
  }

  private withLimits(plan: Plan, use: QuotaUse): Quotas {
    return quotasOf(plan, use, this.settings.quotas, this.clock.now());
  }
}

/** Says which limit there is, what helps and, unless `demand` is null, how much of it was used before. */
function explainQuota(
  kind: QuotaKind,
  { plan, isOrganization }: { readonly plan: Plan; readonly isOrganization: boolean },
  { limits, use, resetsAt }: Quotas,
  demand: QuotaDemand | null,
): DomainError {
  const { creates = false, starts = creates, added = 0, ahead = 0 } = demand ?? {};
  const advice = `have an operator change the plan (GET /api/v1/plans) or QUOTA_${plan}_${SETTING[kind]}`;
  const included = `${isOrganization ? "The organization's" : 'Your'} ${plan} plan includes ${limits[kind]}`;
  const problems: Readonly<Record<QuotaKind, string>> = {
    recordings: `recordings, and there are ${use.recordings - Number(creates)}. Delete recordings, or`,
    uploadsPerDay: `uploads a day, and ${use.uploadsToday - Number(starts)} have been started today. The next day begins at ${resetsAt.toISOString()}. For more today,`,
    storedBytes: `bytes, of which ${use.storedBytes - added} are used, and at least ${added + ahead} more are needed. Delete recordings, or`,
  };
  const problem = demand ? problems[kind] : `${UNITS[kind]}, and there is not enough room. For more,`;
  return new DomainError('QUOTA_EXCEEDED', `${included} ${problem} ${advice}.`, { advice });
}
