import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Removal } from '../../contract/changes/change-details.js';
import { DAY_MS } from '../../lib/durations.js';
import { Clock } from '../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { sql } from '../../platform/database/sql.js';
import type { ChosenJob } from '../../platform/jobs/job-lane.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { PLANS, USER_PLANS } from '../../policy/plans.js';
import { isRemovable, organizationRules, personalRules } from '../../policy/retention.js';
import { RecordingPurgeService } from '../media/recording-purge.service.js';
import { RetiredMediaService } from '../media/retired-media.service.js';
import { ContentService } from '../pipeline/content.service.js';
import { SearchIndexService } from '../search/index/search-index.service.js';
import { UploadEndingService } from '../uploads/upload-ending.service.js';
import { findOrganizationRules } from './ends/public/retention-facts.queries.js';
import { RetentionEndsService, type DecidedRetention } from './ends/retention-ends.service.js';
import { RetentionMailService } from './retention-mail.service.js';
import {
  findDue,
  findRetainingOrganizations,
  logRetention,
  type Purge,
  type RetentionScope,
} from './retention.queries.js';

const JOB = 'retention.run';
/** Recordings of one transaction: each may have thousands of rows that go with it. */
const BATCH = 50;
const ORGANIZATIONS = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

type Part = Exclude<Removal, 'all'>;

/**
 * Removes what is not to be kept any longer, and announces what will go: in batches, each a transaction that decides
 * again with the recordings locked, so that a run can end anywhere.
 */
@Injectable()
export class RetentionRunsService implements OnModuleInit {
  private readonly remove: Readonly<Record<Part, (manager: EntityManager, id: string) => Promise<void>>> = {
    media: async (manager, id) => {
      await this.uploads.forget(manager, id);
      await this.media.removeAll(manager, id);
    },
    original: (manager, id) => this.media.removeOriginal(manager, id),
    transcript: async (manager, id) => {
      await this.content.removeTranscript(manager, id);
      await this.search.refresh(manager, id, { transcript: true });
    },
  };

  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly ends: RetentionEndsService,
    private readonly purges: RecordingPurgeService,
    private readonly media: RetiredMediaService,
    private readonly uploads: UploadEndingService,
    private readonly content: ContentService,
    private readonly search: SearchIndexService,
    private readonly mail: RetentionMailService,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'retention'>,
  ) {}

  onModuleInit(): void {
    const run = (_: unknown, stop: AbortSignal, job: ChosenJob) => this.run(stop, job);
    this.jobs.handle(JOB, run, { lane: 'retention', schedule: '*/5 * * * *' });
  }

  /** What is left when another job of the lane is due, the next run does. */
  async run(stop?: AbortSignal, job?: ChosenJob): Promise<void> {
    for await (const scope of this.scopes()) {
      let after: string | undefined = FIRST;
      while (after !== undefined) {
        after = await this.runBatch(scope, after);
        stop?.throwIfAborted();
        if (job && (await this.jobs.isOutranked(JOB, job))) return;
      }
    }
  }

  private async *scopes(): AsyncGenerator<RetentionScope> {
    const caps = this.settings.retention;
    for (const ownerPlan of USER_PLANS) {
      const rules = personalRules(ownerPlan, caps);
      if (rules.length > 0) yield { of: { ownerPlan }, rules };
    }
    const { manager } = this.dataSource;
    const capped = PLANS.filter((plan) => caps.plans[plan] !== null);
    let ids: string[] = [FIRST];
    while (ids.length > 0) {
      ids = await findRetainingOrganizations(manager, capped, ids.at(-1) ?? FIRST, ORGANIZATIONS);
      for (const { organizationId, plan, ...own } of await findOrganizationRules(manager, ids))
        yield { of: { organizationId }, rules: organizationRules(own, plan, caps) };
    }
  }

  /** Returns the last recording that it has looked at; undefined if there was none. */
  private runBatch(scope: RetentionScope, after: string): Promise<string | undefined> {
    return this.dataSource.transaction(async (manager) => {
      const now = this.clock.now();
      const ids = await findDue(manager, scope, { now, after, limit: BATCH });
      if (ids.length === 0) return undefined;
      const decided = await this.ends.decide(manager, ids, true);
      await this.purge(
        manager,
        decided.flatMap((one) => purgeOf(one, now)),
      );
      const announced = decided.filter((one) => isToBeAnnounced(one, now));
      await logRetention(manager, 'recording.retention_due', announced.flatMap(noticeOf));
      await this.mail.enqueue(manager, new Set(announced.flatMap(({ facts }) => facts.ownerId ?? [])));
      return ids.at(-1);
    });
  }

  private async purge(manager: EntityManager, purges: readonly Purge[]): Promise<void> {
    await logRetention(manager, 'recording.purged', purges);
    const whole: string[] = [];
    for (const { id, details } of purges) {
      if (details.removes === 'all') whole.push(id);
      else await this.remove[details.removes](manager, id);
    }
    if (whole.length > 0) await this.purges.deleteWithin(manager, sql`r.id = ANY (${whole}::uuid[])`);
  }
}

function purgeOf({ facts, retention }: DecidedRetention, now: Date): Purge[] {
  if (!retention || retention.endsAt > now || facts.isHeld || !isRemovable(retention.rule, facts)) return [];
  const { removes, id: rule } = retention.rule;
  return [{ id: facts.id, details: { removes, rule } }];
}

function isToBeAnnounced({ facts, retention }: DecidedRetention, now: Date): boolean {
  if (!retention || facts.inBin || retention.endsAt <= now) return false;
  const { endsAt, rule } = retention;
  const isSoon = endsAt.getTime() <= now.getTime() + rule.noticeDays * DAY_MS;
  return isSoon && facts.noticedFor?.getTime() !== endsAt.getTime();
}

function noticeOf({ facts, retention }: DecidedRetention): Purge[] {
  if (!retention) return [];
  const { rule, endsAt } = retention;
  return [{ id: facts.id, details: { removes: rule.removes, rule: rule.id, at: endsAt.toISOString() } }];
}
