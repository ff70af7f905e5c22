import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, Not } from 'typeorm';
import { UnplayableMediaError } from '../../lib/media-engine/media.errors.js';
import { DomainError } from '../../contract/domain-error.js';
import { counted } from '../../lib/text.js';
import { Clock } from '../../platform/clock/clock.js';
import { transactionBy } from '../../platform/database/transaction-by.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { changedBy } from '../../policy/caller.js';
import { COMMAND_LINE } from '../../policy/management.js';
import { ErasureService } from '../erasure/erasure.service.js';
import { eraseTraces, labelsOf } from '../erasure/public/person.queries.js';
import { ExportsService } from '../exports/exports.service.js';
import { requireNotHeld } from '../legal-holds/public/held.queries.js';
import { RecordingPurgeService } from '../media/recording-purge.service.js';
import { DeparturesService } from '../organizations/members/departures.service.js';
import { OrganizationTransactions } from '../organizations/organization-transactions.service.js';
import { SilencingService } from '../pipeline/packaging/silencing.service.js';
import { RecordingStatusService } from '../recordings/access/recording-status.service.js';
import { SummaryErasureService } from '../summaries/summary-erasure.service.js';
import { TranscriptErasureService } from '../transcripts/transcript-erasure.service.js';
import { UserDeletionService } from '../users/management/user-deletion.service.js';
import { ErasureRecording } from './entities/erasure-recording.entity.js';
import { Erasure, type ErasureCounts } from './entities/erasure.entity.js';
import { ERASURE_JOB, type ErasureRun } from './erasure-job.js';
import {
  countOwned,
  findConcerned,
  findMemberships,
  findScopes,
  isUser,
  noteRecordings,
  ownedIn,
  sumCounts,
} from './erasures.queries.js';
import { sealed } from './receipt.js';

const GIVEN_UP = 'It has failed repeatedly, for a reason that is in the log of the service. Run it again.';
const HELD = 'A recording has to be kept meanwhile, so it is not erased. Run it again later.';

/** Does what an erasure says, step by step. Each step can be done again, and is not done twice. */
@Injectable()
export class ErasureRunService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly purge: RecordingPurgeService,
    private readonly organizations: OrganizationTransactions,
    private readonly departures: DeparturesService,
    private readonly statuses: RecordingStatusService,
    private readonly transcripts: TranscriptErasureService,
    private readonly summaries: SummaryErasureService,
    private readonly silencing: SilencingService,
    private readonly erasure: ErasureService,
    private readonly users: UserDeletionService,
    private readonly exports: ExportsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<ErasureRun>(ERASURE_JOB.task, async ({ erasureId }, stop) => this.run(erasureId, stop), {
      lane: 'retention',
      onExhausted: (key) => this.fail(ERASURE_JOB.idOf(key), GIVEN_UP),
    });
  }

  /** Does what is left of an erasure that is running. It is completed or has failed then, unless this throws. */
  async run(id: string, stop: AbortSignal): Promise<void> {
    const erasure = await this.dataSource.getRepository(Erasure).findOneBy({ id, status: 'running' });
    if (!erasure) return;
    try {
      await this.eraseAll(erasure, stop);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await this.fail(id, error.code === 'CONFLICT' ? error.message : HELD);
    }
  }

  private async eraseAll(erasure: Erasure, stop: AbortSignal): Promise<void> {
    const { manager } = this.dataSource;
    const rows = manager.getRepository(ErasureRecording);
    const ofErasure = { erasureId: erasure.id };
    for (;;) {
      while (await this.purge.deleteBatch(ownedIn(erasure.id))) stop.throwIfAborted();
      if ((await countOwned(manager, erasure.id)) > 0) return this.fail(erasure.id, HELD);
      for (const row of await rows.findBy({ ...ofErasure, owned: false, counts: IsNull() })) {
        stop.throwIfAborted();
        await this.eraseWithin(erasure, row);
      }
      // What came about meanwhile.
      const known = new Set((await rows.findBy(ofErasure)).map(({ recordingId }) => recordingId));
      const found = (await findConcerned(manager, erasure)).filter((one) => !known.has(one.id));
      if (found.length === 0) break;
      await noteRecordings(manager, erasure.id, found);
    }
    await rows.update({ ...ofErasure, failure: Not(IsNull()) }, { failure: null });
    for (const row of await rows.findBy({ ...ofErasure, mute: Not(IsNull()) })) await this.silence(row, stop);
    const failed = await rows.findBy({ ...ofErasure, failure: Not(IsNull()) });
    if (failed.length > 0) {
      const first = `${failed[0]?.recordingId}: ${failed[0]?.failure}`;
      return this.fail(
        erasure.id,
        `The words are erased, but ${counted(failed.length, 'recording')} could not be silenced, first ${first} Replace or delete the media, then run it again.`,
      );
    }
    await this.complete(erasure);
  }

  /** Removes words, name and action items from a recording of somebody else. */
  private async eraseWithin(erasure: Erasure, row: ErasureRecording): Promise<void> {
    const { recordingId } = row;
    await transactionBy(this.dataSource, sourceOf(erasure), async (manager) => {
      const rows = manager.getRepository(ErasureRecording);
      if ((await this.statuses.lockOwned(manager, recordingId)) === null)
        return rows.update({ erasureId: row.erasureId, recordingId }, { counts: {} });
      await requireNotHeld(manager, { id: erasure.createdBy }, [recordingId], 'erased from');
      const labels = labelsOf(erasure);
      const spoken = await this.transcripts.erase(manager, recordingId, labels, erasure.words);
      const items = await this.summaries.erase(manager, recordingId, labels);
      await this.erasure.begin(manager, { of: 'recording', recordingIds: [recordingId] });
      await this.erasure.sweepWords(manager, await findScopes(manager, [recordingId]));
      const counts = { recordings_changed: 1, segments: spoken.length, action_items: items };
      const mute = erasure.silenceAudio && spoken.length > 0 ? spoken : null;
      return rows.update({ erasureId: row.erasureId, recordingId }, { counts, mute });
    });
  }

  private async silence({ erasureId, recordingId, counts, mute }: ErasureRecording, stop: AbortSignal) {
    const rows = this.dataSource.getRepository(ErasureRecording);
    try {
      const silenced = await this.silencing.silence(recordingId, mute ?? [], stop);
      const kind = silenced ? 'recordings_silenced' : 'recordings_without_audio';
      await rows.update({ erasureId, recordingId }, { mute: null, counts: { ...counts, [kind]: 1 } });
    } catch (error) {
      if (!(error instanceof UnplayableMediaError)) throw error;
      await rows.update({ erasureId, recordingId }, { failure: error.message });
    }
  }

  /** Ends what they have outside of recordings, and writes the receipt. */
  private async complete(erasure: Erasure): Promise<void> {
    const { id, organizationId, userId } = erasure;
    if (organizationId === null && (await isUser(this.dataSource.manager, userId)))
      await this.users.delete({ id: userId! }, {}, COMMAND_LINE);
    await transactionBy(this.dataSource, sourceOf(erasure), async (manager) => {
      if (organizationId !== null) await this.organizations.lock(manager, organizationId);
      const erasures = manager.getRepository(Erasure);
      const lock = { mode: 'for_no_key_update' } as const;
      if (!(await erasures.findOne({ where: { id, status: 'running' }, lock }))) return;
      const memberships = await this.depart(manager, erasure);
      const traces = await eraseTraces(manager, erasure);
      await this.exports.deleteOf(manager, organizationId);
      const recordings = await manager
        .getRepository(ErasureRecording)
        .find({ where: { erasureId: id }, order: { recordingId: 'ASC' } });
      const owned = recordings.filter((recording) => recording.owned).length;
      const changed: ErasureCounts = await sumCounts(manager, id);
      const receipt = sealed({
        id,
        organization_id: organizationId,
        completed_at: this.clock.now().toISOString(),
        counts: { recordings_deleted: owned, ...changed, memberships, ...traces },
        recordings: recordings.map(({ recordingId }) => recordingId),
      });
      const nobody = { userId: null, email: null, names: [] };
      await erasures.update({ id }, { ...nobody, status: 'completed', receipt });
      await manager.getRepository(ErasureRecording).delete({ erasureId: id });
    });
  }

  /** Ends the membership in the organization, which is locked. A user who is deleted has left all. */
  private async depart(
    manager: EntityManager,
    { organizationId, userId, createdBy }: Erasure,
  ): Promise<number> {
    if (organizationId === null || userId === null) return 0;
    const memberships = await findMemberships(manager, { organizationId, userId });
    for (const { role } of memberships)
      await this.departures.end(manager, { organizationId, userId, role, removedBy: createdBy });
    return memberships.length;
  }

  private async fail(id: string, statusReason: string): Promise<void> {
    const running = { id, status: 'running' } as const;
    await this.dataSource.getRepository(Erasure).update(running, { status: 'failed', statusReason });
  }
}

const sourceOf = ({ createdBy }: Erasure) => changedBy({ id: createdBy });
