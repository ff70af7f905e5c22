import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { DomainError } from '../../../contract/domain-error.js';
import { Clock } from '../../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { sql } from '../../../platform/database/sql.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { readCursor, type CursorPage } from '../../../platform/http/replies/cursor.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { changedBy, type Caller } from '../../../policy/caller.js';
import { reachesEverything } from '../../../policy/reach.js';
import { ROLE_CATALOG } from '../../../policy/roles.js';
import { findHoldRefusals, requireNotHeld } from '../../legal-holds/public/held.queries.js';
import { MediaService } from '../../media/media.service.js';
import { RecordingPurgeService } from '../../media/recording-purge.service.js';
import { Recording } from '../access/entities/recording.entity.js';
import { RecordingAccessService, type DecidedRecording } from '../access/recording-access.service.js';
import { RecordingExternalIdsService } from '../access/recording-external-ids.service.js';
import { RecordingListService } from '../list/recording-list.service.js';
import { lockDestination, lockRecordings } from '../recordings.queries.js';
import type { ListDeletedRecordingsDto } from './deleted-recordings.dto.js';
import { findDeleted, putIntoBin, takeFromBin, type DeletedRow } from './recording-bin.queries.js';

/** Recordings that one statement deletes: each may have thousands of rows that go with it. */
const BATCH = 50;

const PURGE_JOB = 'recordings.purge-bin';

/** Deletes recordings: where they can be restored for some days, into the bin. What is due there is purged by a job. */
@Injectable()
export class RecordingBinService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: RecordingAccessService,
    private readonly lists: RecordingListService,
    private readonly externalIds: RecordingExternalIdsService,
    private readonly media: MediaService,
    private readonly purges: RecordingPurgeService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'binDays'>,
  ) {}

  onModuleInit(): void {
    const options = { lane: 'retention', schedule: '*/5 * * * *' } as const;
    this.jobs.handle(PURGE_JOB, (_, stop) => this.purgeDue(stop), options);
  }

  /**
   * Deletes recordings that the transaction has locked, and that the caller may delete. Returns the reason for each that
   * must be kept: `LEGAL_HOLD`, or `CONFLICT` for callers who may not know of it.
   */
  async delete(
    manager: EntityManager,
    caller: Caller,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, DomainError>> {
    const refusals = await findHoldRefusals(manager, caller, ids, 'deleted');
    const free = ids.filter((id) => !refusals.has(id));
    const { binDays } = this.settings;
    const kept = await putIntoBin(manager, free, { now: this.clock.now(), binDays });
    const gone = free.filter((id) => !kept.has(id));
    for (let at = 0; at < gone.length; at += BATCH) {
      await manager.delete(Recording, gone.slice(at, at + BATCH));
    }
    await this.media.scheduleDeletion(manager, gone);
    return refusals;
  }

  /** A page of the deleted recordings that the caller may restore, the last deleted first. */
  async list(
    caller: Caller,
    { limit, cursor, organization_id: organizationId }: ListDeletedRecordingsDto,
  ): Promise<CursorPage<DeletedRow>> {
    const { memberships } = await this.lists.scope(caller, { organization_id: organizationId });
    const whereChanging = (changes: 'own' | 'any'): string[] =>
      memberships
        .filter(({ role }) => ROLE_CATALOG[role].changes === changes)
        .map((membership) => membership.organizationId);
    return findDeleted(this.dataSource.manager, {
      viewerId: caller.id,
      personal: organizationId === undefined && reachesEverything(caller.apiKey),
      own: whereChanging('own'),
      any: whereChanging('any'),
      // The active ones among those that the key is limited to.
      folderIds:
        caller.apiKey.folderIds &&
        memberships.flatMap(({ openFolders, closedFolders }) => [...openFolders, ...closedFolders]),
      limit,
      after: readCursor(cursor),
    });
  }

  /**
   * Puts a recording back where it was, with everything. 404 `RECORDING_NOT_FOUND` for those who may not; 409 `CONFLICT`
   * if another recording there has its external id by now.
   */
  async restore(caller: Caller, id: string): Promise<void> {
    await this.change(caller, id, async (manager, { organizationId, ownerId }) => {
      const { externalId } = await manager.findOneByOrFail(Recording, { id });
      await this.externalIds.require(manager, caller, { id, externalId, organizationId, ownerId });
      await takeFromBin(manager, id, { by: caller.id, now: this.clock.now() });
    });
  }

  /** Deletes one in the bin for good. 409 `LEGAL_HOLD` or `CONFLICT` while it must be kept. */
  async purge(caller: Caller, id: string): Promise<void> {
    await this.change(caller, id, async (manager) => {
      await requireNotHeld(manager, caller, [id], 'deleted');
      await manager.delete(Recording, { id });
      await this.media.scheduleDeletion(manager, [id]);
    });
  }

  /** Purges what is due, batch by batch. What is under legal hold stays until the hold is lifted. */
  async purgeDue(stop?: AbortSignal): Promise<void> {
    while (await this.purges.deleteBatch(sql`r.purge_at <= ${this.clock.now()}::timestamptz`)) {
      stop?.throwIfAborted();
    }
  }

  private async change(
    caller: Caller,
    id: string,
    work: (manager: EntityManager, facts: DecidedRecording['facts']) => Promise<void>,
  ): Promise<void> {
    await transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      const { facts } = await this.access.requireDeleted(manager, caller, id);
      // Before the recording, as in the transactions that remove members.
      await lockDestination(manager, facts.organizationId, null);
      await lockRecordings(manager, [id]);
      // Another request may have restored or purged it meanwhile.
      await this.access.requireDeleted(manager, caller, id);
      await work(manager, facts);
    });
  }
}
