import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource } from 'typeorm';
import { ReadsService } from '../../audit/reads.service.js';
import { MediaUrlsService } from '../../media/media-urls.service.js';
import { findPlayedTracks } from '../../media/public/heard-tracks.queries.js';
import { RecordingViewsService } from '../../recordings/access/recording-views.service.js';
import { TranscriptPagesService } from '../../transcripts/transcript-pages.service.js';
import { grantOf, mayDownload, type OpenShare } from '../access/public/open-share.js';
import { ShareAccessService } from '../access/share-access.service.js';
import { accessTokenOf } from './share-passwords.service.js';
import { ShareViewCountService } from './share-view-count.service.js';
import { SHARED_COLUMNS, type SharedContent } from './shared-content.js';

/** Opens share links for recipients. */
@Injectable()
export class ShareVisitsService {
  constructor(
    private readonly access: ShareAccessService,
    private readonly transcripts: TranscriptPagesService,
    private readonly mediaUrls: MediaUrlsService,
    private readonly views: ShareViewCountService,
    private readonly reads: ReadsService,
    private readonly recordingViews: RecordingViewsService,
    private readonly dataSource: DataSource,
  ) {}

  open(token: string, request: Request): Promise<OpenShare> {
    return this.access.open(token, request, accessTokenOf(request));
  }

  count({ id }: OpenShare['link']): void {
    this.views.count(id);
  }

  /** The same as `read`, as a view if it starts at chunk 0. */
  async view(token: string, startChunk: number, limit: number, request: Request): Promise<SharedContent> {
    const content = await this.read(token, startChunk, limit, request);
    if (startChunk === 0 && request.method === 'GET') this.count(content.share.link);
    return content;
  }

  /** Its content, with `limit` chunks of the transcript. */
  async read(token: string, startChunk: number, limit: number, request: Request): Promise<SharedContent> {
    const share = await this.access.open(token, request, accessTokenOf(request), SHARED_COLUMNS);
    const { link, recording } = share;
    this.recordingViews.note(link.recordingId);
    if (this.reads.isOn) this.reads.note('share_link.opened', link.recordingId, { linkId: link.id }, request);
    const transcript = await this.transcripts.readShared(recording, startChunk, limit);
    const holder = { kind: 'share', id: grantOf(link) } as const;
    const permission = { download: mayDownload(share) };
    const media = this.mediaUrls.forRecording(recording, holder, permission);
    const found = link.tracks ? await findPlayedTracks(this.dataSource.manager, link.recordingId) : null;
    const tracks = found && this.mediaUrls.forTracks(recording, holder, permission, found);
    return { share, transcript, tracks, ...media };
  }
}
