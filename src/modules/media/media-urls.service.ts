import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { PublicUrl } from '../../platform/http/public-url.js';
import { UrlSigner } from '../../platform/signing/url-signer.js';
import type { Delivery } from '../../platform/storage/object-store.js';
import { versionOf } from './media.service.js';

/** URLs of a recording's media, which work without an API key; null where there is none. */
export interface MediaUrls {
  readonly video: string | null;
  readonly hls: string | null;
  readonly download: string | null;
  readonly captions: string | null;
  readonly expiresAt: Date | null;
}

/** Value of `file` in URLs that deliver the original, also after it has been converted. */
export const SOURCE = 'source';

/** Precedes the id of a key in the path of a playlist. */
const KEY_MARK = 'key_';

export const NO_MEDIA_URLS: MediaUrls = {
  video: null,
  hls: null,
  download: null,
  captions: null,
  expiresAt: null,
};

/** What a holder may do besides playing. */
export interface MediaPermission {
  readonly download: boolean;
  /** Also whether there are any. */
  readonly captions: boolean;
}

/** What media URLs are built from. */
export interface LinkedMedia {
  readonly id: string;
  readonly title: string;
  readonly media_key: string | null;
  readonly media_type: string | null;
  readonly package_key: string | null;
}

/** Whom URLs are issued to: an API key, by its id, or a share link, by its `grantOf`. They stop working together with it. */
export interface UrlHolder {
  readonly kind: 'key' | 'share';
  readonly id: string;
}

/**
 * Signed URLs of the service itself, wherever files are stored: every delivery checks what the holder may still do, which
 * S3 would not. A playlist refers to its segments relatively, so the signature of a `/media/:id/hls/...` URL is part of
 * its path and covers everything below. URLs name the version of the media, because replaced media is still delivered to
 * those who are playing it.
 */
@Injectable()
export class MediaUrlsService {
  constructor(
    private readonly signer: UrlSigner,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** URLs for playback and, if permitted, download and captions, all with the same expiry. */
  of(media: LinkedMedia, holder: UrlHolder, { download, captions }: MediaPermission): MediaUrls {
    const { media_key: mediaKey, package_key: packageKey } = media;
    if (mediaKey === null) return NO_MEDIA_URLS;
    const expiresAt = this.expiry();
    // Viewers who have begun with the source go on with it when it has been converted.
    const source: Record<string, string> = packageKey === null ? { file: SOURCE } : {};
    const version = versionOf(mediaKey);
    const file = (disposition: Delivery['disposition']): string =>
      this.url(media.id, 'video', { disposition, ...source, [holder.kind]: holder.id, version }, expiresAt);
    return {
      video: file('inline'),
      hls: packageKey === null ? null : this.playlist(media.id, packageKey, holder, expiresAt),
      download: download ? file('attachment') : null,
      captions: captions ? this.url(media.id, 'captions.vtt', { [holder.kind]: holder.id }, expiresAt) : null,
      expiresAt,
    };
  }

  thumbnail(media: Pick<LinkedMedia, 'id' | 'package_key'>, holder: UrlHolder): string | null {
    if (media.package_key === null) return null;
    return this.url(media.id, 'thumbnail', { [holder.kind]: holder.id }, this.expiry());
  }

  private url(
    recordingId: string,
    what: 'video' | 'thumbnail' | 'captions.vtt',
    query: Readonly<Record<string, string>>,
    expiresAt: Date,
  ): string {
    return this.publicUrl.of(this.signer.sign(`/media/${recordingId}/${what}`, query, expiresAt));
  }

  private playlist(recordingId: string, packageKey: string, holder: UrlHolder, expiresAt: Date): string {
    const token = this.signer.token(hlsScope(recordingId, holder), expiresAt);
    const folder = `${inPath(holder)}.${token}/${versionOf(packageKey)}`;
    return this.publicUrl.of(`/media/${recordingId}/hls/${folder}/master.m3u8`);
  }

  private expiry(): Date {
    const seconds = Math.floor(this.clock.now().getTime() / 1000) + this.settings.mediaUrlTtl;
    return new Date(seconds * 1000);
  }
}

/** What the signature of a playlist covers. */
export const hlsScope = (recordingId: string, holder: UrlHolder): string =>
  `/media/${recordingId}/hls/${inPath(holder)}`;

/** A key is marked; a share link is not, because its grant starts with its id. */
const inPath = ({ kind, id }: UrlHolder): string => (kind === 'key' ? `${KEY_MARK}${id}` : id);

/** The holder named in the path of a playlist. */
export const holderInPath = (name: string): UrlHolder =>
  name.startsWith(KEY_MARK) ? { kind: 'key', id: name.slice(KEY_MARK.length) } : { kind: 'share', id: name };
