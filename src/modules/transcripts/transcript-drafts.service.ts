import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { SEGMENTS_PER_CHUNK } from '../../contract/limits.js';
import { SupersededError } from '../../platform/jobs/attempt.js';
import type { ContentJob } from '../pipeline/content-work.service.js';
import type { NewSegment, TranscriptSegment } from './entities/transcript-chunk.entity.js';
import type { TranscriptDraftHead } from './entities/transcript.entity.js';
import { chunksOf, headOfSegments } from './stored-transcript.js';

/** What a running transcription has so far. */
export interface TranscriptDraft {
  /** 0 to 1. */
  readonly progress: number;
  readonly segments: readonly NewSegment[];
  /** What the transcriber needs to continue, as JSON. */
  readonly state: unknown;
}

/** `$1` the recording, `$2` the attempt, `$3` progress, `$4` head; `$5` index of the first chunk of the list `$6`, the last ones. */
const SAVE = `
  WITH current AS (
    UPDATE transcripts SET progress = $3, draft = $4
    WHERE recording_id = $1 AND attempt_id = $2 AND status = 'processing' RETURNING recording_id
  ), written AS (
    INSERT INTO transcript_draft_chunks (attempt_id, chunk_index, recording_id, segments)
    SELECT $2, $5::int + place - 1, recording_id, segments
    FROM current, json_array_elements($6::json) WITH ORDINALITY AS chunks (segments, place)
    ON CONFLICT (attempt_id, chunk_index) DO UPDATE SET segments = excluded.segments
  ), removed AS (
    DELETE FROM transcript_draft_chunks
    WHERE attempt_id IN (SELECT $2 FROM current) AND chunk_index >= $5::int + json_array_length($6::json)
  )
  SELECT count(*)::int AS count FROM current`;

/**
 * Drafts of transcripts: what a running attempt has transcribed so far, to be read meanwhile, and to continue from. A trigger
 * removes the draft when its attempt ends.
 */
@Injectable()
export class TranscriptDraftsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Null if the attempt has none, or is no longer current. Also null if segments are missing, which happens when an attempt
   * runs twice at the same time and both save: it then starts over.
   */
  async find({
    recordingId,
    attempt,
  }: Pick<ContentJob, 'recordingId' | 'attempt'>): Promise<TranscriptDraft | null> {
    const [found]: { progress: number; draft: TranscriptDraftHead }[] = await this.dataSource.query(
      `SELECT progress, draft FROM transcripts
       WHERE recording_id = $1 AND attempt_id = $2 AND draft IS NOT NULL`,
      [recordingId, attempt],
    );
    if (!found) return null;
    const chunks: { segments: TranscriptSegment[] }[] = await this.dataSource.query(
      'SELECT segments FROM transcript_draft_chunks WHERE attempt_id = $1 ORDER BY chunk_index',
      [attempt],
    );
    const { state, segmentsCount } = found.draft;
    const segments = chunks.flatMap((chunk) => chunk.segments).slice(0, segmentsCount);
    return segments.length === segmentsCount ? { progress: found.progress, segments, state } : null;
  }

  /**
   * Keeps the draft of an attempt. `saved` are the segments found or saved before: those that are the same objects are not
   * written again. Throws `SupersededError` if the attempt is no longer current.
   */
  async save(
    { recordingId, attempt }: Pick<ContentJob, 'recordingId' | 'attempt'>,
    { progress, segments, state }: TranscriptDraft,
    saved: readonly NewSegment[],
  ): Promise<void> {
    const head: TranscriptDraftHead = { ...headOfSegments(segments), state };
    const changed = segments.findIndex((segment, index) => segment !== saved[index]);
    const from = Math.floor((changed < 0 ? segments.length : changed) / SEGMENTS_PER_CHUNK);
    const chunks = `[${[...chunksOf(segments, from)].join(',')}]`;
    const [{ count }] = await this.dataSource.query<[{ count: number }]>(SAVE, [
      recordingId,
      attempt,
      progress,
      JSON.stringify(head),
      from,
      chunks,
    ]);
    if (count === 0) throw new SupersededError();
  }
}
