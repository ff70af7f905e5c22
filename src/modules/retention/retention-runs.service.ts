import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Removal } from '../../contract/changes/change-details.js';
import { Clock } from '../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { sql } from '../../platform/database/sql.js';
import type { ChosenJob } from '../../platform/jobs/job-lane.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { PLANS } from '../../policy/plans.js';
import { RecordingPurgeService } from '../media/recording-purge.service.js';
import { RetiredMediaService } from '../media/retired-media.service.js';
import { ContentService } from '../pipeline/content.service.js';
import { SearchIndexService } from '../search/index/search-index.service.js';
import { UploadEndingService } from '../uploads/upload-ending.service.js';
import { RetentionEndsService } from './ends/retention-ends.service.js';
import { RetentionMailService } from './retention-mail.service.js';
import {
  findDue,
  findRetainingOrganizations,
  lockFound,
  logRetention,
  noteAnnounced,
  type FoundDue,
} from './retention.queries.js';

const JOB = 'retention.run';
const ORGANIZATIONS = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Removes what is due and announces what will be: in batches, each a transaction that decides again once the recordings
 * are locked, so that a run can be cut short anywhere.
 */
@Injectable()
export class RetentionRunsService implements OnModuleInit {
  private readonly remove: Readonly<
    Record<Exclude<Removal, 'all'>, (manager: EntityManager, id: string) => Promise<void>>
  > = {
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

  /** Stops when another job of the lane is due; the next run does the rest. */
  async run(stop?: AbortSignal, job?: ChosenJob): Promise<void> {
    for await (const organizationId of this.scopes()) {
      let after: string | undefined = FIRST;
      while (after !== undefined) {
        after = await this.runBatch(organizationId, after);
        stop?.throwIfAborted();
        if (job && (await this.jobs.isOutranked(JOB, job))) return;
      }
    }
  }

  /** The organizations that do not keep everything, after null for personal recordings. */
  private async *scopes(): AsyncGenerator<string | null> {
    yield null;
    const { plans } = this.settings.retention;
    const capped = PLANS.filter((plan) => plans[plan] !== null);
    let ids: string[] = [FIRST];
    while (ids.length > 0) {
      const after = ids.at(-1) ?? FIRST;
      ids = await findRetainingOrganizations(this.dataSource.manager, capped, after, ORGANIZATIONS);
      yield* ids;
    }
  }

  /** Returns the last recording that it has looked at; undefined if there was none. */
  private runBatch(organizationId: string | null, after: string): Promise<string | undefined> {
    return this.dataSource.transaction(async (manager) => {
      const rules = await this.ends.rules(manager, organizationId === null ? [] : [organizationId]);
      if (rules.length === 0) return undefined;
      const scope = { organizationId, rules, now: this.clock.now() };
      const next = await findDue(manager, { ...scope, where: sql`r.id > ${after}::uuid` });
      if (next.length === 0) return undefined;
      const ids = next.map(({ id }) => id);
      await lockFound(manager, ids);
      const found = await findDue(manager, { ...scope, where: sql`r.id = ANY (${ids}::uuid[])` });
      const due = found.filter(({ isDue }) => isDue);
      const soon = found.filter(({ isDue }) => !isDue);
      await this.purge(manager, due);
      await this.announce(manager, soon);
      return ids.at(-1);
    });
  }

  /** A trigger logs what is purged from the bin. */
  private async purge(manager: EntityManager, due: readonly FoundDue[]): Promise<void> {
    const entries = due
      .filter(({ inBin }) => !inBin)
      .map(({ id, rule }) => ({ id, details: { removes: rule.removes, rule: rule.id } }));
    await logRetention(manager, 'recording.purged', entries);
    const whole: string[] = [];
    for (const { id, rule } of due) {
      if (rule.removes === 'all') whole.push(id);
      else await this.remove[rule.removes](manager, id);
    }
    if (whole.length > 0) await this.purges.deleteWithin(manager, sql`r.id = ANY (${whole}::uuid[])`);
  }

  private async announce(manager: EntityManager, announced: readonly FoundDue[]): Promise<void> {
    const entries = announced.map(({ id, rule, endsAt }) => {
      return { id, details: { removes: rule.removes, rule: rule.id, at: endsAt.toISOString() } };
    });
    await logRetention(manager, 'recording.retention_due', entries);
    await noteAnnounced(manager, announced);
    await this.mail.enqueue(manager, new Set(announced.flatMap(({ ownerId }) => ownerId ?? [])));
  }
}
