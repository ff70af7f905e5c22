import { SERVICE_NAME } from '../../../contract/api-document.js';
import { readThumbnailSize, type ImageSize } from '../../media/public/read-thumbnail-size.js';
import { ObjectStore } from '../../../platform/storage/object-store.js';
import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { MediaDeliveryService } from '../../media/delivery/media-delivery.service.js';
import { mayPlay } from '../../../policy/recording-access.js';
import { grantOf, type OpenShare } from '../access/public/open-share.js';
import { ShareVisitsService } from '../visits/share-visits.service.js';
import { LIMITS } from '../../../contract/limits.js';

/** Pixels of the frame that shows a share page: the player, and the beginning of the text below it. */
const FRAME = { width: 640, height: 560 } as const;

const fits = ({ width, height }: ImageSize, most: ImageSize): boolean =>
  width <= most.width && height <= most.height;

const thumbnail = (url: string, { width, height }: ImageSize) => ({
  thumbnail_url: url,
  thumbnail_width: width,
  thumbnail_height: height,
});

/** The HTML contains nothing that a user wrote. */
function frame(url: string, most: ImageSize) {
  const width = Math.min(FRAME.width, most.width);
  const height = Math.min(FRAME.height, most.height);
  const html = `<iframe src="${url}" width="${width}" height="${height}" title="Meeting recording" allow="fullscreen" allowfullscreen></iframe>`;
  return { html, width, height };
}

/** How long a page waits for the size of its poster. */
const POSTER_MS = 500;

/**
 * Serves programs that preview a link. Whatever they ask for opens by the rules of the page: 404 `NOT_FOUND` for links
 * that do not open, 403 `SHARE_PASSWORD_REQUIRED` for those with a password. None of it counts as a view.
 */
@Injectable()
export class SharePreviewService {
  /** Whether the settings let other sites show the page in a frame. */
  private readonly mayFrame: boolean;

  constructor(
    private readonly visits: ShareVisitsService,
    private readonly delivery: MediaDeliveryService,
    private readonly objects: ObjectStore,
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

  /** For oEmbed (https://oembed.com), with nothing larger than asked for. Texts are not escaped: the reply is JSON. */
  async describe(token: string, request: Request): Promise<object> {
    const { row, access } = (await this.visits.open(token, request)).recording;
    const url = this.publicUrl.resolve(`/s/${token}`, request.brand?.domain);
    const most = { width: limitOf(request.query['maxwidth']), height: limitOf(request.query['maxheight']) };
    const size = row.packageKey && (await readThumbnailSize(this.objects, row.packageKey));
    const common = {
      version: '1.0',
      title: row.title,
      provider_name: SERVICE_NAME,
      provider_url: this.publicUrl.base,
      cache_age: LIMITS.sharePreviewSeconds,
      ...(size && fits(size, most) ? thumbnail(`${url}/poster.jpg`, size) : {}),
    };
    if (!this.mayFrame) return { ...common, type: 'link' };
    const isPlayable = mayPlay(access) && row.mediaKey !== null;
    return { ...common, type: isPlayable ? 'video' : 'rich', ...frame(url, most) };
  }

  /** Null if there is none, or if the store is slow or fails: a page opens without it. */
  async posterSize({ link, recording }: OpenShare): Promise<ImageSize | null> {
    const { packageKey } = recording.row;
    if (packageKey === null || link.passwordHash !== null) return null;
    const size = readThumbnailSize(this.objects, packageKey).catch(() => null);
    return Promise.race([size, setTimeout(POSTER_MS, null, { ref: false })]);
  }

  async countView(token: string, request: Request): Promise<void> {
    const { link } = await this.visits.open(token, request);
    this.visits.count(link);
  }
}

const limitOf = (given: unknown): number =>
  typeof given === 'string' && /^[1-9]\d{0,5}$/.test(given) ? Number(given) : Infinity;
