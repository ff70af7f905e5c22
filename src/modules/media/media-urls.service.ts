import { Inject, Injectable } from '@nestjs/common';
import mime from 'mime';
import { Clock } from '../../platform/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { fileNameOf } from '../../contract/file-name.js';
import { PublicUrl } from '../../platform/http/public-url.js';
import { UrlSigner } from '../../platform/signing/url-signer.js';
import { ObjectStore, type Delivery } from '../../platform/storage/object-store.js';

/** URLs of a recording's media, which work without an API key; null where there is none. */
export interface MediaUrls {
  readonly video: string | null;
  readonly hls: string | null;
  readonly download: string | null;
  readonly expiresAt: Date | null;
}

export const NO_MEDIA_URLS: MediaUrls = { video: null, hls: null, download: null, expiresAt: null };

/** What media URLs are built from. */
export interface LinkedMedia {
  readonly id: string;
  readonly title: string;
  readonly media_key: string | null;
  readonly media_type: string | null;
  readonly package_key: string | null;
}

/** Whom the URLs are for. */
export interface UrlHolder {
  readonly download: boolean;
  /** For recipients of a share link, its `grantOf`: the URLs stop working together with the link. */
  readonly grant?: string;
}

/**
 * Signed URLs. Video and download point to S3 if files are stored there, and to `/media/...` otherwise. For a share link
 * they always point to `/media/...`, because S3 would not check whether the link still opens. A playlist refers to its
 * segments relatively, so the signature of a `/media/:id/hls/...` URL is part of its path and covers everything below.
 */
@Injectable()
export class MediaUrlsService {
  constructor(
    private readonly objects: ObjectStore,
    private readonly signer: UrlSigner,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** URLs for playback and, if permitted, download, all with the same expiry. */
  async of(media: LinkedMedia, { download, grant }: UrlHolder): Promise<MediaUrls> {
    const key = media.media_key;
    if (key === null) return NO_MEDIA_URLS;
    const expiresAt = this.expiry();
    const file = (disposition: Delivery['disposition']): Promise<string> | string =>
      grant === undefined
        ? this.file(media, key, disposition, expiresAt)
        : this.serviceUrl(media, 'video', { disposition, share: grant }, expiresAt);
    return {
      video: await file('inline'),
      hls: media.package_key === null ? null : this.playlist(media.id, grant, expiresAt),
      download: download ? await file('attachment') : null,
      expiresAt,
    };
  }

  thumbnail(media: Pick<LinkedMedia, 'id' | 'package_key'>, grant?: string): string | null {
    if (media.package_key === null) return null;
    return this.serviceUrl(media, 'thumbnail', grant === undefined ? {} : { share: grant }, this.expiry());
  }

  private async file(
    media: LinkedMedia,
    key: string,
    disposition: Delivery['disposition'],
    expiresAt: Date,
  ): Promise<string> {
    const location = await this.objects.locate(key, () => {
      const type = media.media_type ?? 'application/octet-stream';
      return { type, disposition, fileName: downloadName(media.title, type), expiresAt };
    });
    if ('url' in location) return location.url;
    return this.serviceUrl(media, 'video', { disposition }, expiresAt);
  }

  /** A signed URL of the service itself. */
  private serviceUrl(
    { id }: Pick<LinkedMedia, 'id'>,
    what: 'video' | 'thumbnail',
    query: Readonly<Record<string, string>>,
    expiresAt: Date,
  ): string {
    return this.publicUrl.of(this.signer.sign(`/media/${id}/${what}`, query, expiresAt));
  }

  private playlist(recordingId: string, grant: string | undefined, expiresAt: Date): string {
    const token = this.signer.token(hlsScope(recordingId, grant), expiresAt);
    const granted = grant === undefined ? token : `${grant}.${token}`;
    return this.publicUrl.of(`/media/${recordingId}/hls/${granted}/master.m3u8`);
  }

  private expiry(): Date {
    const seconds = Math.floor(this.clock.now().getTime() / 1000) + this.settings.mediaUrlTtl;
    return new Date(seconds * 1000);
  }
}

/** The file name of a download: the title, with the extension of its media type. */
export function downloadName(title: string, mediaType: string): string {
  return fileNameOf(title, mime.getExtension(mediaType) ?? 'bin');
}

/** What the signature of a playlist covers. */
export const hlsScope = (recordingId: string, grant?: string): string =>
  grant === undefined ? `/media/${recordingId}/hls` : `/media/${recordingId}/hls/${grant}`;
