import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import type { Precondition } from '../../platform/http/revisions.js';
import { SEGMENTS_PER_CHUNK } from '../../contract/limits.js';
import { changedBy, type Caller } from '../../policy/caller.js';
import { ContentWorkService } from '../pipeline/content-work.service.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';
import { SearchIndexService } from '../search/index/search-index.service.js';
import type { TranscriptSegment } from './entities/transcript-chunk.entity.js';
import { Transcript } from './entities/transcript.entity.js';
import { RENAME_SPEAKERS_SQL } from './rename-speakers.sql.js';
import { TranscriptRevisionsService } from './revisions/transcript-revisions.service.js';
import {
  matchesNothing,
  parametersOf,
  planRenames,
  requireFewSpeakers,
  type RenamePlan,
  type SpeakerRename,
} from './speaker-renames.js';
import { transactionBy } from '../../platform/database/transaction-by.js';

/** Corrections of a transcript. Each increments the revision; concurrent ones are serialized. */
@Injectable()
export class TranscriptCorrectionsService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly work: ContentWorkService,
    private readonly revisions: TranscriptRevisionsService,
    private readonly searchIndex: SearchIndexService,
    @InjectDataSource() private readonly dataSource: DataSource,
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
      const { speakers, unmatched } = await rename(manager, row.id, plan, revision);
      if (unmatched) throw matchesNothing(unmatched);
      requireFewSpeakers(transcript.speakers, speakers);
      await manager.update(Transcript, { recordingId: row.id }, { speakers, revision, generated: false });
      await this.searchIndex.refresh(manager, row.id, { transcript: true });
      await this.revisions.record(manager, row.id, { cause: 'speakers', userId: caller.id });
      return { revision, speakers };
    });
  }

  /** Corrects the text of one segment. */
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
      const segment = await correct(manager, row.id, number, text, revision);
      await manager.update(Transcript, { recordingId: row.id }, { revision, generated: false });
      await this.revisions.record(manager, row.id, { cause: 'correction', userId: caller.id });
      await this.searchIndex.refreshChunk(manager, row.id, chunkOf(number));
      return { revision, segment };
    });
  }

  private async lockCompleted(
    manager: EntityManager,
    recordingId: string,
    precondition: Precondition,
  ): Promise<Transcript> {
    await this.work.lock(manager, recordingId);
    const transcript = await manager.findOneBy(Transcript, { recordingId });
    precondition.require(transcript?.revision ?? 0);
    if (transcript?.status === 'completed') return transcript;
    const status = transcript?.status ?? 'not_started';
    throw new DomainError(
      'CONFLICT',
      `The transcription is ${status}. Only a completed transcription can be corrected.`,
    );
  }
}

async function rename(
  manager: EntityManager,
  recordingId: string,
  plan: RenamePlan,
  revision: number,
): Promise<{ speakers: string[]; unmatched: SpeakerRename | undefined }> {
  const [done]: [{ speakers: string[]; unmatched: number | null }] = await manager.query(
    RENAME_SPEAKERS_SQL,
    [recordingId, ...parametersOf(plan), revision],
  );
  return { speakers: done.speakers, unmatched: plan.renames[(done.unmatched ?? 0) - 1] };
}

const chunkOf = (segment: number): number => Math.floor(segment / SEGMENTS_PER_CHUNK);

async function correct(
  manager: EntityManager,
  recordingId: string,
  segment: number,
  text: string,
  revision: number,
): Promise<TranscriptSegment> {
  const [[corrected]]: [[{ segment: TranscriptSegment }], number] = await manager.query(
    `WITH kept AS (
       INSERT INTO superseded_transcript_chunks (recording_id, superseded_by, chunk_index, segments)
       SELECT recording_id, $5, chunk_index, segments FROM transcript_chunks
       WHERE recording_id = $1 AND chunk_index = $2
     )
     UPDATE transcript_chunks
     SET segments = jsonb_set(segments::jsonb, ARRAY[$3::text, 'text'], to_jsonb($4::text))::json
     WHERE recording_id = $1 AND chunk_index = $2
     RETURNING segments -> $3::int AS segment`,
    [recordingId, chunkOf(segment), segment % SEGMENTS_PER_CHUNK, text, revision],
  );
  return corrected.segment;
}
