import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { preparedQuery } from '../../platform/database/prepared-query.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { fileNameOf } from '../../platform/http/file-name.js';
import type { TextFile } from '../../platform/http/text-file.js';
import { SEGMENTS_PER_CHUNK } from '../../platform/limits.js';
import { WorkPool } from '../../platform/work/work-pool.service.js';
import type { OpenRecording } from '../recordings/recording-access.service.js';
import { TRANSCRIPT_FILES, type TranscriptFormat } from './transcript-formats.js';
import { writeTranscript } from './transcript-writer.js';
import { WRITE_BATCH } from './write-batch.task.js';

/** Chunks that are read at a time: some hundred kilobytes. */
const CHUNKS_AT_A_TIME = 50;
/** Of a batch, which takes milliseconds. */
const SECONDS = 30;

const CHUNKS_OF_REVISION = {
  name: 'transcript-chunks-of-revision',
  text: `SELECT c.segments::text FROM transcript_chunks c JOIN transcripts t ON t.recording_id = c.recording_id
         WHERE c.recording_id = $1 AND c.chunk_index >= $2 AND c.chunk_index < $3 AND t.revision = $4
         ORDER BY c.chunk_index`,
};

/** Whole transcripts as files, streamed. */
@Injectable()
export class TranscriptExportService {
  constructor(
    private readonly pool: WorkPool,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /**
   * The transcript of a recording that is open, for `caller`, which is whoever takes turns with others. What fails at the
   * beginning is thrown, what fails later cuts the file off.
   */
  async file({ row }: OpenRecording, format: TranscriptFormat, caller: string): Promise<TextFile> {
    const status = row.transcript_status ?? 'not_started';
    if (status !== 'completed') {
      throw new DomainError(
        'CONFLICT',
        `The transcription is ${status}; there is a file once it is completed.`,
      );
    }
    const head = {
      title: row.title,
      language: row.transcript_language,
      speakers: row.transcript_speakers ?? [],
      duration: row.transcript_duration ?? 0,
      createdAt: row.created_at,
      revision: row.transcript_revision ?? 0,
    };
    const pieces = writeTranscript(format, head, this.batches(row), (chunks, state) =>
      this.pool.run(
        WRITE_BATCH,
        { format, chunks, state },
        // What has begun is not refused half way.
        { caller, seconds: SECONDS, accepted: state.count > 0 },
      ),
    );
    const beginning = [await pieces.next(), await pieces.next()];
    const { type, extension } = TRANSCRIPT_FILES[format];
    const content = Readable.from(resumed(beginning, pieces));
    return { type, fileName: fileNameOf(row.title, extension), content };
  }

  /** All of one revision: fails should the transcript be changed meanwhile, rather than mix two of them. */
  private async *batches(row: OpenRecording['row']): AsyncGenerator<string[]> {
    const total = Math.ceil((row.transcript_segments_count ?? 0) / SEGMENTS_PER_CHUNK);
    for (let from = 0; from < total; from += CHUNKS_AT_A_TIME) {
      const to = Math.min(from + CHUNKS_AT_A_TIME, total);
      const chunks = await preparedQuery<{ segments: string }>(this.dataSource, CHUNKS_OF_REVISION, [
        row.id,
        from,
        to,
        row.transcript_revision,
      ]);
      if (chunks.length !== to - from) {
        throw new DomainError('CONFLICT', 'The transcript was changed while it was read; ask for it again.');
      }
      yield chunks.map(({ segments }) => segments);
    }
  }
}

async function* resumed<T>(
  beginning: readonly IteratorResult<T>[],
  rest: AsyncGenerator<T>,
): AsyncGenerator<T> {
  for (const { done, value } of beginning) if (!done) yield value as T;
  yield* rest;
}
