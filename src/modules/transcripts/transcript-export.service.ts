import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { preparedQuery } from '../../platform/database/prepared-query.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { fileNameOf } from '../../platform/http/file-name.js';
import type { TextFile } from '../../platform/http/text-file.js';
import { SEGMENTS_PER_CHUNK } from '../../platform/limits.js';
import type { OpenRecording } from '../recordings/recording-access.service.js';
import type { TranscriptSegment } from './entities/transcript-chunk.entity.js';
import { TRANSCRIPT_FILES, type TranscriptFormat } from './transcript-formats.js';
import { writeTranscript } from './transcript-writer.js';

/** Chunks that are read at a time: some hundred kilobytes. */
const CHUNKS_AT_A_TIME = 50;

const CHUNKS_OF_REVISION = {
  name: 'transcript-chunks-of-revision',
  text: `SELECT c.segments FROM transcript_chunks c JOIN transcripts t ON t.recording_id = c.recording_id
         WHERE c.recording_id = $1 AND c.chunk_index >= $2 AND c.chunk_index < $3 AND t.revision = $4
         ORDER BY c.chunk_index`,
};

/** Whole transcripts as files, streamed. */
@Injectable()
export class TranscriptExportService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The transcript of a recording that is open. What fails at the beginning is thrown, what fails later cuts the file off. */
  async file({ row }: OpenRecording, format: TranscriptFormat): Promise<TextFile> {
    const status = row.transcript_status ?? 'not_started';
    if (status !== 'completed') {
      throw new DomainError(
        'CONFLICT',
        `The transcription is ${status}; there is a file once it is completed.`,
      );
    }
    const batches = this.batches(row);
    const first = await batches.next();
    const head = {
      title: row.title,
      language: row.transcript_language,
      speakers: row.transcript_speakers ?? [],
      duration: row.transcript_duration ?? 0,
      createdAt: row.created_at,
      revision: row.transcript_revision ?? 0,
    };
    const { type, extension } = TRANSCRIPT_FILES[format];
    return {
      type,
      fileName: fileNameOf(row.title, extension),
      content: Readable.from(writeTranscript(format, head, resumed(first, batches))),
    };
  }

  /** All of one revision: fails should the transcript be changed meanwhile, rather than mix two of them. */
  private async *batches(row: OpenRecording['row']): AsyncGenerator<TranscriptSegment[]> {
    const total = Math.ceil((row.transcript_segments_count ?? 0) / SEGMENTS_PER_CHUNK);
    for (let from = 0; from < total; from += CHUNKS_AT_A_TIME) {
      const to = Math.min(from + CHUNKS_AT_A_TIME, total);
      const chunks = await preparedQuery<{ segments: TranscriptSegment[] }>(
        this.dataSource,
        CHUNKS_OF_REVISION,
        [row.id, from, to, row.transcript_revision],
      );
      if (chunks.length !== to - from) {
        throw new DomainError('CONFLICT', 'The transcript was changed while it was read; ask for it again.');
      }
      yield chunks.flatMap(({ segments }) => segments);
    }
  }
}

async function* resumed<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
