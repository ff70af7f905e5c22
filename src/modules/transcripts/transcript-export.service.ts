import { SEGMENTS_PER_CHUNK } from '../../contract/limits.js';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { DatabaseServer } from '../../platform/database/servers/database-server.js';
import { conflict } from '../../contract/domain-error.js';
import { fileNameOf } from '../../contract/file-name.js';
import type { TextFile } from '../../platform/http/replies/text-file.js';
import { WorkPool } from '../../platform/work/work-pool.service.js';
import type { CaptionedRow } from '../recordings/access/public/captions.js';
import type { OpenRecording } from '../recordings/access/recording-access.service.js';
import {
  WRITTEN_FILES,
  type TranscriptFormat,
  type WrittenFormat,
} from '../../lib/transcript-formats/written-formats.js';
import type { TranscriptHead } from '../../lib/transcript-formats/transcript.js';
import {
  writeTranscript,
  type WritingState,
  type WrittenBatch,
} from '../../lib/transcript-formats/transcript-writer.js';
import { chunksOfSegments } from './stored-transcript.js';
import { WRITE_BATCH } from './tasks/write-batch.task.js';
import type { ChunksOfRevision } from './transcripts.queries.js';
import { explainTranscription } from '../../policy/advice.js';

type ChunkRange = Pick<ChunksOfRevision, 'from' | 'to'>;

/** Chunks read at a time: some hundred kilobytes. */
const CHUNKS_AT_A_TIME = 50;
/** Time limit of a batch, which normally takes milliseconds. */
const SECONDS = 30;

interface Export {
  readonly row: CaptionedRow;
  readonly format: WrittenFormat;
  /** Whose share of the threads it counts towards. */
  readonly caller: string;
}

/** Streams whole transcripts as files. */
@Injectable()
export class TranscriptExportService {
  constructor(
    private readonly pool: WorkPool,
    private readonly database: DatabaseServer,
  ) {}

  /** The transcript of an open recording; `caller` is whose share of the threads it counts towards. */
  async file({ row, access }: OpenRecording, format: TranscriptFormat, caller: string): Promise<TextFile> {
    const { transcription: status } = access;
    if (status !== 'completed') {
      throw conflict(explainTranscription(status, 'A download needs'));
    }
    const head = {
      title: row.title,
      language: row.transcriptLanguage,
      confidenceKnown: row.transcriptConfidenceKnown ?? false,
      speakers: row.transcriptSpeakers ?? [],
      duration: row.transcriptDuration ?? 0,
      createdAt: row.createdAt,
      revision: row.transcriptRevision ?? 0,
      segmentsPerPage: SEGMENTS_PER_CHUNK,
    };
    return this.written(head, { row, format, caller });
  }

  /** WebVTT for players. */
  captions(row: CaptionedRow, caller: string): Promise<TextFile> {
    const { title, transcriptLanguage: language } = row;
    const head = { title, language, speakers: [], duration: 0, segmentsPerPage: SEGMENTS_PER_CHUNK };
    return this.written(head, { row, format: 'captions', caller });
  }

  /** A failure at the beginning is thrown, a later one truncates the file. */
  private async written(head: TranscriptHead, exported: Export): Promise<TextFile> {
    const all = this.ranges(exported.row.transcriptSegmentsCount ?? 0);
    const pieces = writeTranscript(exported.format, head, all, (range, state) =>
      this.batch(exported, range, state),
    );
    const beginning = [await pieces.next(), await pieces.next()];
    const { type, extension } = WRITTEN_FILES[exported.format];
    const content = Readable.from(this.resumed(beginning, pieces));
    return { type, fileName: fileNameOf(head.title, extension), content };
  }

  /** Fails if the transcript changes in the meantime, rather than mix two revisions. */
  private async batch(
    { row, format, caller }: Export,
    range: ChunkRange,
    state: WritingState,
  ): Promise<WrittenBatch> {
    const written = await this.pool.run(
      WRITE_BATCH,
      {
        ...range,
        databaseUrl: this.database.url,
        recordingId: row.id,
        revision: row.transcriptRevision,
        format,
        state,
        seconds: SECONDS,
      },
      // A download that has begun is not refused halfway.
      { caller, seconds: SECONDS, accepted: state.count > 0 },
    );
    if (written) return written;
    throw conflict('The transcript changed while it was being read. Try again.');
  }

  private async *ranges(segments: number): AsyncGenerator<ChunkRange> {
    const total = chunksOfSegments(segments);
    for (let from = 0; from < total; from += CHUNKS_AT_A_TIME) {
      yield { from, to: Math.min(from + CHUNKS_AT_A_TIME, total) };
    }
  }

  private async *resumed<T>(
    beginning: readonly IteratorResult<T>[],
    rest: AsyncGenerator<T>,
  ): AsyncGenerator<T> {
    for (const { done, value } of beginning) if (!done) yield value as T;
    yield* rest;
  }
}
