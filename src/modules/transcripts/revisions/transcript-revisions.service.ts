import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, type Repository } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { Clock } from '../../../platform/clock/clock.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import type { Precondition } from '../../../platform/http/replies/revisions.js';
import { changedBy, type Caller } from '../../../policy/caller.js';
import { ContentService } from '../../pipeline/content.service.js';
import { newestFirst, readRevisionNumber } from '../../pipeline/public/content-revision.js';
import { RecordingAccessService } from '../../recordings/access/recording-access.service.js';
import { SearchIndexService } from '../../search/index/search-index.service.js';
import { TranscriptRevision } from '../entities/transcript-revision.entity.js';
import { Transcript } from '../entities/transcript.entity.js';
import { recordRevision, restoreChunks, restoreHead } from './transcript-revisions.queries.js';

/**
 * The last revisions of transcripts. Those who write content keep the chunks that they replace, and record the
 * revision.
 */
@Injectable()
export class TranscriptRevisionsService {
  constructor(
    @InjectRepository(TranscriptRevision) private readonly revisions: Repository<TranscriptRevision>,
    private readonly access: RecordingAccessService,
    private readonly content: ContentService,
    private readonly searchIndex: SearchIndexService,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
  ) {}

  /** Newest first; the first one is the current content. */
  async list(caller: Caller, recordingId: string): Promise<TranscriptRevision[]> {
    const { row } = await this.access.requireFeature(caller, recordingId, 'transcription');
    return this.revisions.find(newestFirst(row.id));
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
    return this.content.queueImport(caller.id, () =>
      transactionBy(this.dataSource, changedBy(caller), async (manager) => {
        await this.content.lock(manager, row.id);
        const transcript = await manager.getRepository(Transcript).findOneBy({ recordingId: row.id });
        precondition.require(transcript?.revision ?? 0);
        const earlier = readRevisionNumber(revision);
        const head = await restoreHead(manager, row.id, earlier);
        if (!head) {
          throw new DomainError(
            'TRANSCRIPT_REVISION_NOT_FOUND',
            `The transcript has no such revision. The last ${LIMITS.revisions} are kept.`,
          );
        }
        await restoreChunks(manager, row.id, earlier, head);
        await recordRevision(manager, row.id, { cause: 'restore', userId: caller.id }, this.clock.now());
        await this.searchIndex.refresh(manager, row.id, { texts: true, transcript: true });
        const [restored] = await manager.getRepository(TranscriptRevision).find(newestFirst(row.id));
        return restored!;
      }),
    );
  }
}
