import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { IsNull, type DataSource, type EntityManager } from 'typeorm';
import { preparedQuery } from '../../platform/database/prepared-query.js';
import type { ContentStatus } from '../../policy/recording-status.js';
import type { ExtraColumns, OpenRecording } from '../recordings/access/recording-access.service.js';
import { SearchIndexService } from '../search/index/search-index.service.js';
import {
  TranscriptChunk,
  type NewTranscript,
  type TranscriptSegment,
} from './entities/transcript-chunk.entity.js';
import { Transcript } from './entities/transcript.entity.js';
import { TranscriptRevisionsService, type RevisionOrigin } from './revisions/transcript-revisions.service.js';
import { chunksOfSegments } from './revisions/transcript-revisions.sql.js';
import { chunksOf, toStored, type StoredTranscript } from './stored-transcript.js';

interface TranscriptPageHead {
  readonly status: ContentStatus;
  readonly statusReason: string | null;
  readonly revision: number;
  readonly language: string | null;
  readonly confidenceKnown: boolean;
  readonly speakers: string[];
  readonly duration: number;
  readonly totalChunks: number;
  readonly hasMore: boolean;
}

export interface TranscriptPageContent extends TranscriptPageHead {
  readonly segments: TranscriptSegment[];
}

/** To be passed through without parsing, so that a long page is as fast as PostgreSQL returns it. */
export interface TranscriptPageText extends TranscriptPageHead {
  /** Parts of a JSON list of segments as stored, each with exactly the fields of `TranscriptSegment`. */
  readonly segmentsJson: readonly string[];
}

const CHUNKS = {
  name: 'transcript-chunks',
  text: `SELECT segments FROM transcript_chunks
         WHERE recording_id = $1 AND chunk_index >= $2 AND chunk_index < $3 ORDER BY chunk_index`,
};

/** A separator between chunks; JSON never contains this character unescaped. */
const SEAM = '\u0001';

const joined = (from: string, where: string): string => `(
  SELECT string_agg(c.segments::text, '${SEAM}' ORDER BY c.chunk_index) FROM ${from} c
  WHERE c.${where} AND c.chunk_index >= $3::bigint AND c.chunk_index < $4::bigint)`;

/**
 * Chunks `$3` up to but not including `$4`, read together with the access decision in one round trip: of the transcript, or
 * of what a running transcription has so far.
 */
export const PAGE_CHUNKS: ExtraColumns<{ readonly chunks: string | null }> = {
  name: 'chunks',
  columns: `, CASE t.status
    WHEN 'completed' THEN ${joined('transcript_chunks', 'recording_id = r.id')}
    WHEN 'processing' THEN ${joined('transcript_draft_chunks', 'attempt_id = t.attempt_id')} END AS chunks`,
};

const WRITE_HEAD = `
  INSERT INTO transcripts (recording_id, status, language, speakers, segments_count, duration, confidence_known, generated)
  VALUES ($1, 'completed', $2, $3, $4, $5, $6, $7)
  ON CONFLICT (recording_id) DO UPDATE
  SET status = excluded.status, status_reason = NULL, attempt_id = NULL, language = excluded.language,
      speakers = excluded.speakers, segments_count = excluded.segments_count, duration = excluded.duration,
      confidence_known = excluded.confidence_known, generated = excluded.generated, revision = transcripts.revision + 1
  RETURNING revision`;

/** `$1` recording, `$2` index of the first chunk of the list `$3`, `$4` the new revision. Writes and keeps only what differs. */
const WRITE_CHUNKS = `
  WITH sent AS MATERIALIZED (
    SELECT $2::int + place - 1 AS chunk_index, segments
    FROM json_array_elements($3::json) WITH ORDINALITY AS chunks (segments, place)
  ), kept AS (
    INSERT INTO superseded_transcript_chunks (recording_id, superseded_by, chunk_index, segments)
    SELECT c.recording_id, $4, c.chunk_index, c.segments
    FROM sent JOIN transcript_chunks c ON c.recording_id = $1 AND c.chunk_index = sent.chunk_index
    WHERE c.segments::text <> sent.segments::text
  )
  INSERT INTO transcript_chunks AS c (recording_id, chunk_index, segments)
  SELECT $1, chunk_index, segments FROM sent
  ON CONFLICT (recording_id, chunk_index) DO UPDATE SET segments = excluded.segments
  WHERE c.segments::text <> excluded.segments::text`;

/** `$1` recording, `$2` number of its chunks, `$3` the new revision. */
const REMOVE_CHUNKS = `
  WITH removed AS (
    DELETE FROM transcript_chunks WHERE recording_id = $1 AND chunk_index >= $2
    RETURNING recording_id, chunk_index, segments
  )
  INSERT INTO superseded_transcript_chunks (recording_id, superseded_by, chunk_index, segments)
  SELECT recording_id, $3, chunk_index, segments FROM removed`;

/** Whether somebody sent it, or a transcription wrote it. */
export interface TranscriptOrigin extends RevisionOrigin {
  readonly cause: 'import' | 'transcription';
}

/** Writes whole transcripts and reads pages of them. */
@Injectable()
export class TranscriptsService {
  constructor(
    private readonly revisions: TranscriptRevisionsService,
    private readonly searchIndex: SearchIndexService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** `count` chunks from `startChunk` of an open recording; no segments unless the transcript is completed. */
  async pageOf(row: OpenRecording['row'], startChunk: number, count: number): Promise<TranscriptPageContent> {
    const head = headOf(row, null, startChunk, count);
    return {
      ...head,
      segments: startChunk < head.totalChunks ? await this.chunks(row.id, startChunk, count) : [],
    };
  }

  /** Like `pageOf`, from a row that `PAGE_CHUNKS` has read, with the segments as JSON; also of a running transcription. */
  pageTextOf(
    row: OpenRecording<{ readonly chunks: string | null }>['row'],
    startChunk: number,
    count: number,
  ): TranscriptPageText {
    // Joins the lists by dropping the brackets between them.
    const segmentsJson = row.chunks
      ?.split(`]${SEAM}[`)
      .flatMap((chunk, index) => (index ? [',', chunk] : [chunk]));
    return { ...headOf(row, row.transcript_draft, startChunk, count), segmentsJson: segmentsJson ?? ['[]'] };
  }

  /** The segments of `count` chunks from `startChunk`, in one range scan of the primary key. */
  async chunks(recordingId: string, startChunk: number, count: number): Promise<TranscriptSegment[]> {
    const range = [recordingId, startChunk, startChunk + count];
    const chunks = await preparedQuery<Pick<TranscriptChunk, 'segments'>>(this.dataSource, CHUNKS, range);
    return chunks.flatMap((chunk) => chunk.segments);
  }

  /** Like `replace`, for callers in which no request waits for this thread. */
  async write(
    manager: EntityManager,
    recordingId: string,
    transcript: NewTranscript,
    origin: TranscriptOrigin,
  ): Promise<void> {
    await this.replace(manager, recordingId, toStored(transcript), origin);
  }

  /** Whether its transcript has this language and these segments. */
  async has(
    manager: EntityManager,
    recordingId: string,
    { language, segments }: NewTranscript,
  ): Promise<boolean> {
    if (!(await manager.existsBy(Transcript, { recordingId, language: language ?? IsNull() }))) return false;
    const stored = await manager.find(TranscriptChunk, {
      where: { recordingId },
      order: { chunkIndex: 'ASC' },
    });
    return isDeepStrictEqual(
      stored.map((chunk): unknown => chunk.segments),
      [...chunksOf(segments)].map((chunk): unknown => JSON.parse(chunk)),
    );
  }

  /**
   * Replaces the transcript, in the transaction of `manager`, which must hold the lock on the recording. A current attempt
   * is superseded.
   */
  async replace(
    manager: EntityManager,
    recordingId: string,
    { language, speakers, segmentsCount, duration, confidenceKnown, batches }: StoredTranscript,
    origin: TranscriptOrigin,
  ): Promise<void> {
    const generated = origin.cause === 'transcription';
    const head = [recordingId, language, speakers, segmentsCount, duration, confidenceKnown, generated];
    const [{ revision }]: [{ revision: number }] = await manager.query(WRITE_HEAD, head);
    for (const { from, json } of batches) {
      // Bytes are sent as they are, without conversion to text.
      const bytes = Buffer.from(json.buffer, json.byteOffset, json.length);
      await manager.query(WRITE_CHUNKS, [recordingId, from, bytes, revision]);
    }
    await manager.query(REMOVE_CHUNKS, [recordingId, chunksOfSegments(segmentsCount), revision]);
    await this.revisions.record(manager, recordingId, origin);
    await this.searchIndex.refresh(manager, recordingId, { texts: true, transcript: true });
  }
}

/** Of the transcript, or of the draft of a running transcription if there is one. */
function headOf(
  row: OpenRecording['row'],
  draft: OpenRecording['row']['transcript_draft'],
  startChunk: number,
  count: number,
): TranscriptPageHead {
  const status = row.transcript_status ?? 'not_started';
  const segments =
    status === 'completed' ? (row.transcript_segments_count ?? 0) : (draft?.segmentsCount ?? 0);
  const totalChunks = chunksOfSegments(segments);
  return {
    status,
    statusReason: row.transcript_status_reason,
    revision: row.transcript_revision ?? 0,
    language: row.transcript_language,
    confidenceKnown: row.transcript_confidence_known ?? false,
    speakers: draft?.speakers ?? row.transcript_speakers ?? [],
    duration: draft?.duration ?? row.transcript_duration ?? 0,
    totalChunks,
    hasMore: startChunk + count < totalChunks,
  };
}
