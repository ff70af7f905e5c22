import { Injectable } from '@nestjs/common';
import { RecordingsService, type RecordingMedia } from '../../recordings/recordings.service.js';
import type { Summary } from '../../summaries/entities/summary.entity.js';
import { SummariesService } from '../../summaries/summaries.service.js';
import { TranscriptsService, type TranscriptPageContent } from '../../transcripts/transcripts.service.js';
import { grantOf, mayDownload, type OpenShare } from '../share-access.service.js';

/** Everything that recipients can see of a recording. */
export interface SharedContent extends RecordingMedia {
  readonly share: OpenShare;
  readonly summary: Summary | null;
  /** Null if withheld. */
  readonly transcript: TranscriptPageContent | null;
}

/** Reads the content of a working share link. */
@Injectable()
export class ShareContentService {
  constructor(
    private readonly recordings: RecordingsService,
    private readonly transcripts: TranscriptsService,
    private readonly summaries: SummariesService,
  ) {}

  /** Includes `limit` chunks of the transcript from `startChunk`. */
  async of(share: OpenShare, startChunk: number, limit: number): Promise<SharedContent> {
    const { link, recording } = share;
    const transcript = recording.access.capabilities.canViewTranscription
      ? await this.transcripts.pageOf(recording.row, startChunk, limit)
      : null;
    const summary = await this.summaries.find(recording.row.id);
    const holder = { kind: 'share', id: grantOf(link) } as const;
    const media = this.recordings.mediaOf(recording, holder, { download: mayDownload(share) });
    return { share, transcript, summary, ...media };
  }
}
