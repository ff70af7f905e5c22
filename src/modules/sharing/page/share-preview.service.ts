import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { MediaDeliveryService } from '../../media/delivery/media-delivery.service.js';
import type { ImageSize } from '../../media/public/thumbnail-size.js';
import { ThumbnailService } from '../../media/thumbnail.service.js';
import { mayPlay } from '../../../policy/recording-access.js';
import { grantOf, type OpenShare } from '../access/public/open-share.js';
import { ShareVisitsService } from '../visits/share-visits.service.js';
import { presentOEmbed } from './share-preview.presenter.js';

/** How long a page waits for the size of its poster. */
const POSTER_MS = 500;

/**
 * Serves programs that preview a link. Whatever they ask for opens by the rules of the page: 404 `NOT_FOUND` for links
 * that do not open, 403 `SHARE_PASSWORD_REQUIRED` for those with a password. None of it counts as a view.
 */
@Injectable()
export class SharePreviewService {
  private readonly mayFrame: boolean;

  constructor(
    private readonly visits: ShareVisitsService,
    private readonly delivery: MediaDeliveryService,
    private readonly thumbnails: ThumbnailService,
    private readonly publicUrl: PublicUrl,
    @Inject(SETTINGS) { shareFrameAncestors }: Settings,
  ) {
    this.mayFrame = shareFrameAncestors.length > 0;
  }

  async sendPoster(token: string, request: Request, response: Response): Promise<void> {
    const { link, recording } = await this.visits.open(token, request);
    const holder = { kind: 'share', id: grantOf(link) } as const;
    await this.delivery.sendThumbnail(recording.row.id, holder, response);
  }

  async describe(token: string, request: Request): Promise<object> {
    const { row, access } = (await this.visits.open(token, request)).recording;
    const url = this.publicUrl.resolve(`/s/${token}`);
    const size = row.package_key && (await this.thumbnails.readSize(row.package_key));
    return presentOEmbed(
      {
        title: row.title,
        url,
        provider: this.publicUrl.base,
        poster: size ? { url: `${url}/poster.jpg`, size } : null,
        isPlayable: mayPlay(access) && row.media_key !== null,
        mayFrame: this.mayFrame,
      },
      { width: limitOf(request.query['maxwidth']), height: limitOf(request.query['maxheight']) },
    );
  }

  /** Null if there is none, or if the store is slow or fails: a page opens without it. */
  async posterSize({ link, recording }: OpenShare): Promise<ImageSize | null> {
    const { package_key: packageKey } = recording.row;
    if (packageKey === null || link.passwordHash !== null) return null;
    const size = this.thumbnails.readSize(packageKey).catch(() => null);
    return Promise.race([size, setTimeout(POSTER_MS, null, { ref: false })]);
  }

  async countView(token: string, request: Request): Promise<void> {
    const { link } = await this.visits.open(token, request);
    this.visits.count(link);
  }
}

const limitOf = (given: unknown): number =>
  typeof given === 'string' && /^[1-9]\d{0,5}$/.test(given) ? Number(given) : Infinity;
