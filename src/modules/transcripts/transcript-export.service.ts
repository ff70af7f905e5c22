import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { DatabaseServer } from '../../platform/database/database-server.js';
import { DomainError } from '../../contract/domain-error.js';
import { fileNameOf } from '../../contract/file-name.js';
import type { TextFile } from '../../platform/http/text-file.js';
import { SEGMENTS_PER_CHUNK } from '../../contract/limits.js';
import { WorkPool } from '../../platform/work/work-pool.service.js';
import type { OpenRecording } from '../recording-access/recording-access.service.js';
import { TRANSCRIPT_FILES, type TranscriptFormat } from './files/export-formats.js';
import { writeTranscript, type WrittenBatch } from './files/transcript-writer.js';
import type { WritingState } from './files/transcript-writing.js';
import { WRITE_BATCH, type ChunkRange } from './files/write-batch.task.js';

/** Chunks read at a time: some hundred kilobytes. */
const CHUNKS_AT_A_TIME = 50;
/** Time limit of a batch, which normally takes milliseconds. */
const SECONDS = 30;

/** Streams whole transcripts as files. */
@Injectable()
export class TranscriptExportService {
  constructor(
    private readonly pool: WorkPool,
    private readonly database: DatabaseServer,
  ) {}

  /**
   * The transcript of an open recording; `caller` takes turns with others. A failure at the beginning is thrown, a later
   * one truncates the file.
   */
  async file({ row }: OpenRecording, format: TranscriptFormat, caller: string): Promise<TextFile> {
    const status = row.transcript_status ?? 'not_started';
    if (status !== 'completed') {
      throw new DomainError(
        'CONFLICT',
        `The transcription is ${status}. It can be downloaded once it is completed.`,
      );
    }
    const head = {
      title: row.title,
      language: row.transcript_language,
      confidenceKnown: row.transcript_confidence_known ?? false,
      speakers: row.transcript_speakers ?? [],
      duration: row.transcript_duration ?? 0,
      createdAt: row.created_at,
      revision: row.transcript_revision ?? 0,
    };
    const pieces = writeTranscript(format, head, ranges(row), (range, state) =>
      this.batch(row, range, { format, state, caller }),
    );
    const beginning = [await pieces.next(), await pieces.next()];
    const { type, extension } = TRANSCRIPT_FILES[format];
    const content = Readable.from(resumed(beginning, pieces));
    return { type, fileName: fileNameOf(row.title, extension), content };
  }

  /** Fails if the transcript changes in the meantime, rather than mix two revisions. */
  private async batch(
    row: OpenRecording['row'],
    range: ChunkRange,
    { format, state, caller }: { format: TranscriptFormat; state: WritingState; caller: string },
  ): Promise<WrittenBatch> {
    const written = await this.pool.run(
      WRITE_BATCH,
      {
        ...range,
        databaseUrl: this.database.url,
        recordingId: row.id,
        revision: row.transcript_revision,
        format,
        state,
        seconds: SECONDS,
      },
      // A download that has begun is not refused halfway.
      { caller, seconds: SECONDS, accepted: state.count > 0 },
    );
    if (written) return written;
    throw new DomainError('CONFLICT', 'The transcript changed while it was being read. Try again.');
  }
}

async function* ranges(row: OpenRecording['row']): AsyncGenerator<ChunkRange> {
  const total = Math.ceil((row.transcript_segments_count ?? 0) / SEGMENTS_PER_CHUNK);
  for (let from = 0; from < total; from += CHUNKS_AT_A_TIME) {
    yield { from, to: Math.min(from + CHUNKS_AT_A_TIME, total) };
  }
}

async function* resumed<T>(
  beginning: readonly IteratorResult<T>[],
  rest: AsyncGenerator<T>,
): AsyncGenerator<T> {
  for (const { done, value } of beginning) if (!done) yield value as T;
  yield* rest;
}
