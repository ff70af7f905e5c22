import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import type { Precondition } from '../../platform/http/revisions.js';
import { SEGMENTS_PER_CHUNK } from '../../contract/limits.js';
import type { Caller } from '../../policy/caller.js';
import { ContentWorkService } from '../content-work/content-work.service.js';
import { RecordingAccessService } from '../recording-access/recording-access.service.js';
import { SearchIndexService } from '../search-index/search-index.service.js';
import type { TranscriptSegment } from './entities/transcript-chunk.entity.js';
import { Transcript } from './entities/transcript.entity.js';
import { RENAME_SPEAKERS_SQL } from './rename-speakers.sql.js';
import {
  matchesNothing,
  parametersOf,
  planRenames,
  requireFewSpeakers,
  type RenamePlan,
  type SpeakerRename,
} from './speaker-renames.js';

/** Corrections of a transcript. Each increments the revision; concurrent ones are serialized. */
@Injectable()
export class TranscriptCorrectionsService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly work: ContentWorkService,
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
    return this.dataSource.transaction(async (manager) => {
      const transcript = await this.lockCompleted(manager, row.id, precondition);
      const plan = planRenames(renames, transcript);
      const { speakers, unmatched } = await rename(manager, row.id, plan);
      if (unmatched) throw matchesNothing(unmatched);
      requireFewSpeakers(transcript.speakers, speakers);
      const revision = transcript.revision + 1;
      await manager.update(Transcript, { recordingId: row.id }, { speakers, revision, generated: false });
      await this.searchIndex.refresh(manager, row.id, { transcript: true });
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
    return this.dataSource.transaction(async (manager) => {
      const transcript = await this.lockCompleted(manager, row.id, precondition);
      const number = /^\d{1,9}$/.test(segmentId) ? Number(segmentId) : Infinity;
      if (number >= transcript.segmentsCount) {
        throw new DomainError(
          'SEGMENT_NOT_FOUND',
          `The transcript has ${transcript.segmentsCount} segments, numbered from 0.`,
        );
      }
      const chunk = Math.floor(number / SEGMENTS_PER_CHUNK);
      const [[segment]]: [TranscriptSegment[], number] = await correct(manager, row.id, chunk, number, text);
      const revision = transcript.revision + 1;
      await manager.update(Transcript, { recordingId: row.id }, { revision, generated: false });
      await this.searchIndex.refreshChunk(manager, row.id, chunk);
      return { revision, segment: segment! };
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
): Promise<{ speakers: string[]; unmatched: SpeakerRename | undefined }> {
  const [done]: [{ speakers: string[]; unmatched: number | null }] = await manager.query(
    RENAME_SPEAKERS_SQL,
    [recordingId, ...parametersOf(plan)],
  );
  return { speakers: done.speakers, unmatched: plan.renames[(done.unmatched ?? 0) - 1] };
}

async function correct(
  manager: EntityManager,
  recordingId: string,
  chunk: number,
  segment: number,
  text: string,
): Promise<[TranscriptSegment[], number]> {
  const [rows, count]: [{ segment: TranscriptSegment }[], number] = await manager.query(
    `UPDATE transcript_chunks
     SET segments = jsonb_set(segments::jsonb, ARRAY[$3::text, 'text'], to_jsonb($4::text))::json
     WHERE recording_id = $1 AND chunk_index = $2
     RETURNING segments -> $3::int AS segment`,
    [recordingId, chunk, segment % SEGMENTS_PER_CHUNK, text],
  );
  return [rows.map((row) => row.segment), count];
}
