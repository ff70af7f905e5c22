import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { MediaUrlsService } from '../../media/media-urls.service.js';
import type { RecordingMedia } from '../../media/public/media-urls.js';
import type { Summary } from '../../summaries/entities/summary.entity.js';
import { SummariesService } from '../../summaries/summaries.service.js';
import type { TranscriptPageContent } from '../../transcripts/public/transcript-page.js';
import { TranscriptPagesService } from '../../transcripts/transcript-pages.service.js';
import { grantOf, mayDownload, ShareAccessService, type OpenShare } from '../share-access.service.js';
import { SharePasswordsService } from './share-passwords.service.js';
import { ShareViewCountService } from './share-view-count.service.js';

/** Everything that recipients can see of a recording. */
export interface SharedContent extends RecordingMedia {
  readonly share: OpenShare;
  readonly summary: Summary | null;
  /** Null if withheld. */
  readonly transcript: TranscriptPageContent | null;
}

/** Opens share links for recipients. */
@Injectable()
export class ShareVisitsService {
  constructor(
    private readonly access: ShareAccessService,
    private readonly passwords: SharePasswordsService,
    private readonly mediaUrls: MediaUrlsService,
    private readonly transcripts: TranscriptPagesService,
    private readonly summaries: SummariesService,
    private readonly views: ShareViewCountService,
  ) {}

  /** Opens a link with the access token of the request. */
  open(token: string, request: Request): Promise<OpenShare> {
    return this.access.open(token, this.passwords.tokenOf(request));
  }

  /** Its content, with `limit` chunks of the transcript. Only requests that start at chunk 0 count as views. */
  async read(token: string, startChunk: number, limit: number, request: Request): Promise<SharedContent> {
    const share = await this.open(token, request);
    const { link, recording } = share;
    const transcript = await this.transcripts.readShared(recording, startChunk, limit);
    const summary = await this.summaries.find(recording.row.id);
    const holder = { kind: 'share', id: grantOf(link) } as const;
    const media = this.mediaUrls.forRecording(recording, holder, { download: mayDownload(share) });
    if (startChunk === 0 && request.method === 'GET') this.views.count(link.id);
    return { share, transcript, summary, ...media };
  }
}
