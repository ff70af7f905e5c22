import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { preparedQuery } from '../../platform/database/prepared-query.js';
import { SEGMENTS_PER_CHUNK } from '../../platform/limits.js';
import type { Caller } from '../../policy/caller.js';
import type { ContentStatus } from '../../policy/recording-status.js';
import { RecordingAccessService, type OpenRecording } from '../recordings/recording-access.service.js';
import { TranscriptChunk, type TranscriptSegment } from './entities/transcript-chunk.entity.js';
import { Transcript } from './entities/transcript.entity.js';

export interface TranscriptPageContent {
  readonly status: ContentStatus;
  readonly language: string | null;
  readonly speakers: string[];
  readonly duration: number;
  readonly segments: TranscriptSegment[];
  readonly totalChunks: number;
  readonly hasMore: boolean;
}

/** A transcript as it comes in; segments are numbered in the order given. */
export interface NewTranscript {
  readonly language: string | null;
  readonly segments: readonly Omit<TranscriptSegment, 'id'>[];
}

/** Chunks per insert: a meeting of a day stays far below PostgreSQL's limits. */
const INSERT_BATCH = 200;

const CHUNKS = {
  name: 'transcript-chunks',
  text: `SELECT segments FROM transcript_chunks
         WHERE recording_id = $1 AND chunk_index >= $2 AND chunk_index < $3 ORDER BY chunk_index`,
};

@Injectable()
export class TranscriptsService {
  constructor(
    private readonly access: RecordingAccessService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** `count` chunks from `startChunk` on; no segments unless the transcript is completed. */
  async page(
    caller: Caller,
    recordingId: string,
    startChunk: number,
    count: number,
  ): Promise<TranscriptPageContent> {
    return this.pageOf((await this.access.use(caller, recordingId, 'transcription')).row, startChunk, count);
  }

  /** The same of a recording that is already open. */
  async pageOf(row: OpenRecording['row'], startChunk: number, count: number): Promise<TranscriptPageContent> {
    const status = row.transcript_status ?? 'not_started';
    const ready = status === 'completed';
    const totalChunks = ready ? Math.ceil((row.transcript_segments_count ?? 0) / SEGMENTS_PER_CHUNK) : 0;
    return {
      status,
      language: row.transcript_language,
      speakers: row.transcript_speakers ?? [],
      duration: row.transcript_duration ?? 0,
      segments: startChunk < totalChunks ? await this.segments(row.id, startChunk, count) : [],
      totalChunks,
      hasMore: startChunk + count < totalChunks,
    };
  }

  /** Writes the transcript of a recording that has none, in the transaction of `manager`. */
  async insert(manager: EntityManager, recordingId: string, transcript: NewTranscript): Promise<void> {
    const segments = transcript.segments.map((segment, id) => ({ id, ...segment }));
    const speakers = new Set(segments.map(({ speaker }) => speaker).filter((speaker) => speaker !== ''));
    await manager.insert(Transcript, {
      recordingId,
      status: 'completed',
      language: transcript.language,
      speakers: [...speakers],
      segmentsCount: segments.length,
      duration: segments.reduce((latest, { end }) => Math.max(latest, end), 0),
    });
    const chunks = inGroups(segments, SEGMENTS_PER_CHUNK).map((group, chunkIndex) => ({
      recordingId,
      chunkIndex,
      segments: group,
    }));
    for (const batch of inGroups(chunks, INSERT_BATCH)) await manager.insert(TranscriptChunk, batch);
  }

  /** One range of the primary key. */
  private async segments(
    recordingId: string,
    startChunk: number,
    count: number,
  ): Promise<TranscriptSegment[]> {
    const range = [recordingId, startChunk, startChunk + count];
    const chunks = await preparedQuery<Pick<TranscriptChunk, 'segments'>>(this.dataSource, CHUNKS, range);
    return chunks.flatMap((chunk) => chunk.segments);
  }
}

function inGroups<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
