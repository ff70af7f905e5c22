import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { invalid } from '../../contract/domain-error.js';
import { LIMITS } from '../../contract/limits.js';
import type { TranscriptFormat } from '../../lib/transcript-formats/written-formats.js';
import type { TextFile } from '../../platform/http/replies/text-file.js';
import type { Caller } from '../../policy/caller.js';
import { ReadsService } from '../audit/reads.service.js';
import { RecordingAccessService, type OpenRecording } from '../recordings/access/recording-access.service.js';
import {
  type TranscriptPageDto,
  describePage,
  type TranscriptPageContent,
  type TranscriptPageText,
} from './public/transcript-page.dto.js';
import { RecordingViewsService } from '../recordings/access/recording-views.service.js';
import { TranscriptExportService } from './transcript-export.service.js';
import { PAGE_CHUNKS, readSegments } from './transcript-page.hot.sql.js';

@Injectable()
export class TranscriptPagesService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly exports: TranscriptExportService,
    private readonly dataSource: DataSource,
    private readonly reads: ReadsService,
    private readonly views: RecordingViewsService,
  ) {}

  /** A page, also of a running transcription, or the whole transcript as a file. */
  async read(
    caller: Caller,
    recordingId: string,
    { format, start_chunk: startChunk, limit }: TranscriptPageDto,
    accepted: TranscriptFormat | null,
  ): Promise<{ page: TranscriptPageText } | { file: TextFile }> {
    // Swagger UI fills in the values of the first page, so these do not conflict.
    const paged = startChunk !== 0 || limit !== LIMITS.transcriptChunks.default;
    if (format && paged) {
      throw invalid('format: returns the whole transcript; omit start_chunk and limit');
    }
    const wanted = format ?? (paged ? null : accepted);
    if (wanted) {
      const recording = await this.access.requireFeature(caller, recordingId, 'transcription');
      this.note(caller, recording.row.id);
      return { file: await this.exports.file(recording, wanted, caller.id) };
    }
    const chunks = { extraColumns: PAGE_CHUNKS, values: [startChunk, startChunk + limit] };
    const recording = await this.access.requireFeature(caller, recordingId, 'transcription', chunks);
    this.note(caller, recording.row.id);
    const { transcriptDraft: draft, chunks: segments, suggestions } = recording.row;
    const head = describePage(recording, draft, startChunk, limit);
    const suggested = recording.access.mayChange && suggestions && { speakerSuggestions: suggestions };
    return { page: { ...head, ...suggested, segmentsJson: segments ?? '[]' } };
  }

  private note({ id: userId, apiKey, request }: Caller, recordingId: string): void {
    this.views.note(recordingId);
    if (!this.reads.isOn) return;
    this.reads.note('transcript.read', recordingId, { userId, apiKeyId: apiKey.id }, request);
  }

  /**
   * A page of `count` chunks for the recipients of a share link, also of a running transcription; null if it is withheld
   * from them.
   */
  async readShared(
    recording: OpenRecording,
    startChunk: number,
    count: number,
  ): Promise<TranscriptPageContent | null> {
    const { row, access } = recording;
    if (!access.capabilities.canViewTranscription) return null;
    const head = describePage(recording, row.transcriptDraft, startChunk, count);
    const { status, totalChunks } = head;
    const isThere = startChunk < totalChunks && (status === 'completed' || status === 'processing');
    return {
      ...head,
      segments: isThere ? await readSegments(this.dataSource, row.id, status, startChunk, count) : [],
    };
  }
}
