import { Injectable } from '@nestjs/common';
import type { TranscriptSegment } from '../../lib/transcript-formats/transcript.js';
import { DataSource, type EntityManager } from 'typeorm';
import { conflict, DomainError } from '../../contract/domain-error.js';
import { Clock } from '../../platform/clock/clock.js';
import { transactionBy } from '../../platform/database/transaction-by.js';
import type { Precondition } from '../../platform/http/replies/revisions.js';
import { changedBy, type Caller } from '../../policy/caller.js';
import { ContentService } from '../pipeline/content.service.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';
import { SearchIndexService } from '../search/index/search-index.service.js';
import { Transcript } from './entities/transcript.entity.js';
import { recordRevision } from './revisions/transcript-revisions.queries.js';
import { matchesNothing, planRenames, requireFewSpeakers, type SpeakerRename } from './speaker-renames.js';
import { chunkOfSegment, correctSegment, renameSpeakers } from './transcript-corrections.queries.js';
import { explainTranscription } from '../../policy/advice.js';

/** Corrections of a transcript. Each increments the revision; concurrent ones are serialized. */
@Injectable()
export class TranscriptCorrectionsService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly content: ContentService,
    private readonly searchIndex: SearchIndexService,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
  ) {}

  /** Applies renames simultaneously: two speakers may swap labels, and those given the same label are merged. */
  async renameSpeakers(
    caller: Caller,
    recordingId: string,
    renames: readonly SpeakerRename[],
    precondition: Precondition,
  ): Promise<{ revision: number; speakers: string[] }> {
    const { row } = await this.access.requireFeatureEdit(caller, recordingId, 'transcription');
    return transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      const transcript = await this.lockCompleted(manager, row.id, precondition);
      const plan = planRenames(renames, transcript);
      const revision = transcript.revision + 1;
      const { speakers, unmatched } = await renameSpeakers(manager, row.id, plan, revision);
      if (unmatched) throw matchesNothing(unmatched);
      requireFewSpeakers(transcript.speakers, speakers);
      await manager
        .getRepository(Transcript)
        .update({ recordingId: row.id }, { speakers, revision, generated: false });
      await this.searchIndex.refresh(manager, row.id, { transcript: true });
      await recordRevision(manager, row.id, { cause: 'speakers', userId: caller.id }, this.clock.now());
      return { revision, speakers };
    });
  }

  async correctSegment(
    caller: Caller,
    recordingId: string,
    segmentId: string,
    text: string,
    precondition: Precondition,
  ): Promise<{ revision: number; segment: TranscriptSegment }> {
    const { row } = await this.access.requireFeatureEdit(caller, recordingId, 'transcription');
    return transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      const transcript = await this.lockCompleted(manager, row.id, precondition);
      const number = /^\d{1,9}$/.test(segmentId) ? Number(segmentId) : Infinity;
      if (number >= transcript.segmentsCount) {
        throw new DomainError(
          'SEGMENT_NOT_FOUND',
          `The transcript has ${transcript.segmentsCount} segments, numbered from 0.`,
        );
      }
      const revision = transcript.revision + 1;
      const segment = await correctSegment(manager, row.id, number, text, revision);
      await manager.getRepository(Transcript).update({ recordingId: row.id }, { revision, generated: false });
      await recordRevision(manager, row.id, { cause: 'correction', userId: caller.id }, this.clock.now());
      await this.searchIndex.refreshChunk(manager, row.id, chunkOfSegment(number));
      return { revision, segment };
    });
  }

  private async lockCompleted(
    manager: EntityManager,
    recordingId: string,
    precondition: Precondition,
  ): Promise<Transcript> {
    await this.content.lock(manager, recordingId);
    const transcript = await manager.getRepository(Transcript).findOneBy({ recordingId });
    precondition.require(transcript?.revision ?? 0);
    if (transcript?.status === 'completed') return transcript;
    const status = transcript?.status ?? 'not_started';
    throw conflict(explainTranscription(status, 'A correction needs'));
  }
}
