import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, IsNull, Not } from 'typeorm';
import { conflict, DomainError } from '../../contract/domain-error.js';
import { canonicalHash } from '../../lib/canonical-json.js';
import { UnplayableMediaError } from '../../lib/media-engine/media.errors.js';
import { counted } from '../../lib/text.js';
import { Clock } from '../../platform/clock/clock.js';
import { sql } from '../../platform/database/sql.js';
import { transactionBy } from '../../platform/database/transaction-by.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { changedBy } from '../../policy/caller.js';
import { COMMAND_LINE } from '../../policy/management.js';
import { ErasureService } from '../erasure/erasure.service.js';
import { eraseTraces, labelsOf } from '../erasure/public/person.queries.js';
import { ExportsService } from '../exports/exports.service.js';
import { NOBODY, requireNotHeld } from '../legal-holds/public/held.queries.js';
import { RetiredMediaService } from '../media/retired-media.service.js';
import { RecordingPurgeService } from '../media/recording-purge.service.js';
import { DeparturesService } from '../organizations/members/departures.service.js';
import { OrganizationTransactions } from '../organizations/organization-transactions.service.js';
import { PackagingStep } from '../pipeline/packaging/packaging.step.js';
import { RecordingStatusService } from '../recordings/access/recording-status.service.js';
import { SummariesService } from '../summaries/summaries.service.js';
import { TranscriptsService } from '../transcripts/transcripts.service.js';
import { UserDeletionService } from '../users/management/user-deletion.service.js';
import { ErasureRecording } from './entities/erasure-recording.entity.js';
import { Erasure } from './entities/erasure.entity.js';
import type { ErasureCounts } from './erasure-receipt.response.dto.js';
import { type ConcernedRecording, findConcerned, findMemberships, isUser } from './erasures.queries.js';

/** The key of such a job is the id of the erasure. */
export const ERASURE_JOB = 'erasures.run';

export interface ErasureRun {
  readonly erasureId: string;
}

const GIVEN_UP = 'It has failed repeatedly, for a reason that is in the log of the service. Run it again.';

/** Does what an erasure says, step by step. Each step can be done again, and is not done twice. */
@Injectable()
export class ErasureRunService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly purge: RecordingPurgeService,
    private readonly media: RetiredMediaService,
    private readonly organizations: OrganizationTransactions,
    private readonly departures: DeparturesService,
    private readonly statuses: RecordingStatusService,
    private readonly transcripts: TranscriptsService,
    private readonly summaries: SummariesService,
    private readonly packaging: PackagingStep,
    private readonly erasure: ErasureService,
    private readonly users: UserDeletionService,
    private readonly exports: ExportsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<ErasureRun>(ERASURE_JOB, async ({ erasureId }, stop) => this.run(erasureId, stop), {
      lane: 'retention',
      onExhausted: (id) => this.fail(id, GIVEN_UP),
    });
  }

  /** Does what is left of an erasure that is running. It is completed or has failed then, unless this throws. */
  async run(id: string, stop: AbortSignal): Promise<void> {
    const erasure = await this.dataSource.getRepository(Erasure).findOneBy({ id, status: 'running' });
    if (!erasure) return;
    try {
      await this.eraseRecordings(erasure, stop);
      await this.silence(erasure, stop);
      await this.complete(erasure);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await this.fail(id, error.message);
    }
  }

  private async eraseRecordings(erasure: Erasure, stop: AbortSignal): Promise<void> {
    for (;;) {
      // Again: there may be more by now.
      const concerned = await findConcerned(this.dataSource.manager, erasure);
      if (concerned.length === 0) return;
      for (const recording of concerned) {
        stop.throwIfAborted();
        await this.eraseRecording(erasure, recording);
      }
    }
  }

  /** Deletes a recording of the person; removes words, name and action items from that of somebody else. */
  private async eraseRecording(erasure: Erasure, { id, owned, scopeId }: ConcernedRecording): Promise<void> {
    await transactionBy(this.dataSource, sourceOf(erasure), async (manager) => {
      if ((await this.statuses.lockOwned(manager, id)) === null) return;
      await requireNotHeld(manager, NOBODY, [id], 'erased from');
      const done = { erasureId: erasure.id, recordingId: id };
      const rows = manager.getRepository(ErasureRecording);
      if (owned) {
        await this.purge.deleteWithin(manager, sql`r.id = ${id}::uuid`);
        return rows.insert({ ...done, counts: { recordings_deleted: 1 } });
      }
      const labels = labelsOf(erasure);
      // Each may have their voice: their own, and those of microphones nearby.
      await this.media.removeTracks(manager, { recordingId: id });
      const spoken = await this.transcripts.eraseSpeakers(manager, id, labels);
      const items = await this.summaries.eraseOwners(manager, id, labels);
      await this.erasure.begin(manager, { of: 'recording', recordingIds: [id] });
      await this.erasure.sweepWords(manager, [scopeId]);
      const counts = { recordings_changed: 1, segments: spoken.length, action_items: items };
      return rows.insert({ ...done, counts, mute: spoken.length > 0 ? spoken : null });
    });
  }

  /** Makes their words inaudible. 409 `CONFLICT` if some of the media cannot be converted, after the rest. */
  private async silence({ id: erasureId }: Erasure, stop: AbortSignal): Promise<void> {
    const rows = this.dataSource.getRepository(ErasureRecording);
    const failures: string[] = [];
    for (const { recordingId, counts, mute } of await rows.findBy({ erasureId, mute: Not(IsNull()) })) {
      try {
        const silenced = await this.packaging.silence(recordingId, mute ?? [], stop);
        const kind = silenced ? 'recordings_silenced' : 'recordings_without_audio';
        await rows.update({ erasureId, recordingId }, { mute: null, counts: { ...counts, [kind]: 1 } });
      } catch (error) {
        if (!(error instanceof UnplayableMediaError)) throw error;
        failures.push(`${recordingId}: ${error.message}`);
      }
    }
    if (failures.length > 0)
      throw conflict(
        `The words are erased, but ${counted(failures.length, 'recording')} could not be silenced, first ${failures[0]} Replace or delete the media, then run it again.`,
      );
  }

  /** Ends what they have outside of recordings, and writes the receipt. */
  private async complete(erasure: Erasure): Promise<void> {
    const { id, organizationId, userId, createdBy: removedBy } = erasure;
    if (organizationId === null && userId !== null && (await isUser(this.dataSource.manager, userId)))
      await this.users.delete({ id: userId }, {}, COMMAND_LINE);
    await transactionBy(this.dataSource, sourceOf(erasure), async (manager) => {
      if (organizationId !== null) await this.organizations.lock(manager, organizationId);
      const lock = { mode: 'for_no_key_update' } as const;
      if (!(await manager.findOne(Erasure, { where: { id, status: 'running' }, lock }))) return;
      // Of a user who has been deleted, there are none.
      const memberships = await findMemberships(manager, erasure);
      for (const membership of memberships) await this.departures.end(manager, { ...membership, removedBy });
      const traces = await eraseTraces(manager, erasure);
      await this.exports.deleteOf(manager, organizationId);
      const recordings = await manager.find(ErasureRecording, {
        where: { erasureId: id },
        order: { recordingId: 'ASC' },
      });
      const content = {
        id,
        organization_id: organizationId,
        completed_at: this.clock.now().toISOString(),
        counts: { ...sumOf(recordings), memberships: memberships.length, ...traces },
        recordings: recordings.map(({ recordingId }) => recordingId),
      };
      const receipt = { ...content, hash: canonicalHash(content) };
      const nobody = { userId: null, email: null, names: [] };
      await manager.update(Erasure, { id }, { ...nobody, status: 'completed', receipt });
      await manager.delete(ErasureRecording, { erasureId: id });
    });
  }

  private async fail(id: string, statusReason: string): Promise<void> {
    const running = { id, status: 'running' } as const;
    await this.dataSource.getRepository(Erasure).update(running, { status: 'failed', statusReason });
  }
}

const sourceOf = ({ createdBy }: Erasure) => changedBy({ id: createdBy });

function sumOf(recordings: readonly ErasureRecording[]): ErasureCounts {
  const sums: Record<string, number> = { recordings_deleted: 0, recordings_changed: 0 };
  for (const [kind, count] of recordings.flatMap(({ counts }) => Object.entries(counts)))
    sums[kind] = (sums[kind] ?? 0) + count;
  return sums;
}
