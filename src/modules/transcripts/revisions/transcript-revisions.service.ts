import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { Clock } from '../../../platform/clock.js';
import type { Precondition } from '../../../platform/http/revisions.js';
import { changedBy, type Caller } from '../../../policy/caller.js';
import { ContentWorkService } from '../../pipeline/content-work.service.js';
import { RecordingAccessService } from '../../recordings/access/recording-access.service.js';
import { SearchIndexService } from '../../search/index/search-index.service.js';
import { TranscriptRevision, type RevisionCause } from '../entities/transcript-revision.entity.js';
import { Transcript } from '../entities/transcript.entity.js';
import {
  chunksOfSegments,
  RECORD_REVISION,
  RESTORE_CHUNKS,
  RESTORE_HEAD,
} from './transcript-revisions.sql.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';

/** Why and by whom content was written. */
export interface RevisionOrigin {
  readonly cause: RevisionCause;
  /** Null if no user did. */
  readonly userId: string | null;
}

/** The last revisions of transcripts. Those who write content keep the chunks that they replace, and record the revision. */
@Injectable()
export class TranscriptRevisionsService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly work: ContentWorkService,
    private readonly searchIndex: SearchIndexService,
    private readonly clock: Clock,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** To be called in the transaction that has written the content, once its head has the new revision. */
  async record(manager: EntityManager, recordingId: string, origin: RevisionOrigin): Promise<void> {
    const values = [recordingId, this.clock.now(), origin.cause, origin.userId];
    await manager.query(RECORD_REVISION, values);
  }

  /** Newest first; the first one is the current content. */
  async list(caller: Caller, recordingId: string): Promise<TranscriptRevision[]> {
    const { row } = await this.access.requireFeature(caller, recordingId, 'transcription');
    return revisionsOf(this.dataSource.manager, row.id);
  }

  /** Makes the content of a revision the current one, as a new revision. A transcription in progress is superseded. */
  async restore(
    caller: Caller,
    recordingId: string,
    revision: string,
    precondition: Precondition,
  ): Promise<TranscriptRevision> {
    const { row } = await this.access.requireFeatureEdit(caller, recordingId, 'transcription');
    // Indexing the text takes as long as after an import.
    return this.work.inTurn(caller.id, () =>
      transactionBy(this.dataSource, changedBy(caller), async (manager) => {
        await this.work.lock(manager, row.id);
        const transcript = await manager.findOneBy(Transcript, { recordingId: row.id });
        precondition.require(transcript?.revision ?? 0);
        await this.restoreContent(manager, row.id, readNumber(revision));
        await this.record(manager, row.id, { cause: 'restore', userId: caller.id });
        await this.searchIndex.refresh(manager, row.id, { texts: true, transcript: true });
        const [restored] = await revisionsOf(manager, row.id);
        return restored!;
      }),
    );
  }

  private async restoreContent(manager: EntityManager, recordingId: string, revision: number): Promise<void> {
    const [[head]]: [{ revision: number; segmentsCount: number }[], number] = await manager.query(
      RESTORE_HEAD,
      [recordingId, revision],
    );
    if (!head) {
      throw new DomainError(
        'TRANSCRIPT_REVISION_NOT_FOUND',
        `The transcript has no such revision. The last ${LIMITS.transcriptRevisions} are kept.`,
      );
    }
    const chunks = chunksOfSegments(head.segmentsCount);
    await manager.query(RESTORE_CHUNKS, [recordingId, revision, chunks, head.revision]);
  }
}

const revisionsOf = (manager: EntityManager, recordingId: string): Promise<TranscriptRevision[]> =>
  manager.find(TranscriptRevision, {
    where: { recordingId },
    relations: { creator: true },
    order: { revision: 'DESC' },
  });

/** 0, which no revision has, unless it is a number. */
const readNumber = (revision: string): number => (/^\d{1,9}$/.test(revision) ? Number(revision) : 0);
