import { Injectable } from '@nestjs/common';
import { RecordingsService, type RecordingContent } from '../../recordings/recordings.service.js';
import { TranscriptsService, type TranscriptPageContent } from '../../transcripts/transcripts.service.js';
import { grantOf, mayDownload, type OpenShare } from '../share-access.service.js';

/** All that recipients get of a recording. */
export interface SharedContent extends RecordingContent {
  readonly share: OpenShare;
  /** Null: withheld. */
  readonly transcript: TranscriptPageContent | null;
}

/** What stands behind a share link that opens. */
@Injectable()
export class ShareContentService {
  constructor(
    private readonly recordings: RecordingsService,
    private readonly transcripts: TranscriptsService,
  ) {}

  /** With `limit` chunks of the transcript from `startChunk` on. */
  async of(share: OpenShare, startChunk: number, limit: number): Promise<SharedContent> {
    const { link, recording } = share;
    const transcript = recording.access.capabilities.canViewTranscription
      ? await this.transcripts.pageOf(recording.row, startChunk, limit)
      : null;
    const content = await this.recordings.content(recording, {
      grant: grantOf(link),
      download: mayDownload(share),
    });
    return { share, transcript, ...content };
  }
}
