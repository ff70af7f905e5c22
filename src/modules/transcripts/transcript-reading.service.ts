import { Injectable } from '@nestjs/common';
import { DomainError } from '../../contract/domain-error.js';
import type { TextFile } from '../../platform/http/text-file.js';
import { LIMITS } from '../../contract/limits.js';
import type { Caller } from '../../policy/caller.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';
import type { TranscriptPageDto } from './dto/transcript-page.dto.js';
import { TranscriptExportService } from './transcript-export.service.js';
import type { TranscriptFormat } from '../../lib/transcript-formats/export-formats.js';
import { PAGE_CHUNKS, TranscriptsService, type TranscriptPageText } from './transcripts.service.js';

/** Returns a page of a transcript, or the whole as a file. */
@Injectable()
export class TranscriptReadingService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly transcripts: TranscriptsService,
    private readonly exports: TranscriptExportService,
  ) {}

  async read(
    caller: Caller,
    recordingId: string,
    { format, start_chunk: startChunk, limit }: TranscriptPageDto,
    accepted: TranscriptFormat | null,
  ): Promise<{ page: TranscriptPageText } | { file: TextFile }> {
    // Swagger UI fills in the values of the first page, so these do not conflict.
    const paged = startChunk !== 0 || limit !== LIMITS.transcriptChunks.default;
    if (format && paged) {
      throw new DomainError(
        'VALIDATION_ERROR',
        'format: returns the whole transcript; omit start_chunk and limit',
      );
    }
    const wanted = format ?? (paged ? null : accepted);
    if (wanted) {
      const recording = await this.access.requireFeature(caller, recordingId, 'transcription');
      return { file: await this.exports.file(recording, wanted, caller.id) };
    }
    const chunks = { extraColumns: PAGE_CHUNKS, values: [startChunk, startChunk + limit] };
    const { row } = await this.access.requireFeature(caller, recordingId, 'transcription', chunks);
    return { page: this.transcripts.pageTextOf(row, startChunk, limit) };
  }
}
