import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ContentStatus } from '../../policy/recording-status.js';
import { TranscriptChunk, type NewTranscript } from './entities/transcript-chunk.entity.js';
import type { RevisionCause } from './entities/transcript-revision.entity.js';
import { chunksOf } from './stored-transcript.js';

/** A transcript in the database, compared with segments from elsewhere. */
export interface ComparedTranscript {
  readonly status: ContentStatus;
  readonly language: string | null;
  readonly segmentsCount: number;
  /** Whether the segments are the same. */
  readonly same: boolean;
  /** Whether a person wrote it, or may have: it was sent, corrected or restored, or it is older than the records of that. */
  readonly byPeople: boolean;
}

const COMPARED = `
  SELECT t.recording_id AS id, t.status, t.language, t.segments_count AS "segmentsCount", t.generated,
    v.cause, v.created_by AS "createdBy", v.created_at AS "createdAt", (
      SELECT md5(string_agg(c.segments::text, ',' ORDER BY c.chunk_index))
      FROM transcript_chunks c WHERE c.recording_id = t.recording_id) AS digest
  FROM transcripts t LEFT JOIN LATERAL (
    SELECT r.cause, r.created_by, r.created_at FROM transcript_revisions r
    WHERE r.recording_id = t.recording_id ORDER BY r.revision DESC LIMIT 1) v ON true
  WHERE t.recording_id = ANY ($1)`;

interface ComparedRow extends Pick<ComparedTranscript, 'status' | 'language' | 'segmentsCount'> {
  readonly id: string;
  readonly generated: boolean;
  readonly cause: RevisionCause | null;
  readonly createdBy: string | null;
  readonly createdAt: Date | null;
  readonly digest: string | null;
}

/** Compares stored transcripts with others, for imports that change only what differs. */
@Injectable()
export class TranscriptComparisonService {
  /** By recording; in one statement, and one more for each that seems to differ. Recordings without a transcript are missing. */
  async compare(
    manager: EntityManager,
    given: ReadonlyMap<string, Pick<NewTranscript, 'segments'>>,
  ): Promise<Map<string, ComparedTranscript>> {
    const compared = new Map<string, ComparedTranscript>();
    if (given.size === 0) return compared;
    const rows: ComparedRow[] = await manager.query(COMPARED, [[...given.keys()]]);
    for (const row of rows) {
      const { status, language, segmentsCount } = row;
      const segments = given.get(row.id)?.segments ?? [];
      const same = segments.length === segmentsCount && (await this.isSame(manager, row, segments));
      compared.set(row.id, { status, language, segmentsCount, same, byPeople: isByPeople(row) });
    }
    return compared;
  }

  private async isSame(
    manager: EntityManager,
    { id, digest }: ComparedRow,
    segments: NewTranscript['segments'],
  ): Promise<boolean> {
    const hash = createHash('md5');
    for (const [index, chunk] of [...chunksOf(segments)].entries()) hash.update((index ? ',' : '') + chunk);
    if (hash.digest('hex') === digest) return true;
    // Chunks that PostgreSQL has written, such as corrected ones, may be formatted differently.
    const stored = await manager.find(TranscriptChunk, {
      where: { recordingId: id },
      order: { chunkIndex: 'ASC' },
    });
    const parsed = [...chunksOf(segments)].map((chunk): unknown => JSON.parse(chunk));
    return isDeepStrictEqual(
      stored.map((chunk): unknown => chunk.segments),
      parsed,
    );
  }
}

/** A transcription rewrites its own transcripts too; a workspace import is an import by nobody. */
function isByPeople({ generated, segmentsCount, cause, createdBy, createdAt }: ComparedRow): boolean {
  if (generated || segmentsCount === 0) return false;
  return cause !== 'import' || createdBy !== null || createdAt === null;
}
