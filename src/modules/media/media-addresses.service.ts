import { Inject, Injectable } from '@nestjs/common';
import mime from 'mime';
import { Clock } from '../../platform/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { fileNameOf } from '../../contract/file-name.js';
import { PublicUrl } from '../../platform/http/public-url.js';
import { UrlSigner } from '../../platform/signing/url-signer.js';
import { ObjectStore, type Delivery } from '../../platform/storage/object-store.js';

/** Addresses of a recording's media, which work without an API key; null where there is nothing to give. */
export interface MediaAddresses {
  readonly video: string | null;
  readonly hls: string | null;
  readonly download: string | null;
  readonly expiresAt: Date | null;
}

export const NO_ADDRESSES: MediaAddresses = { video: null, hls: null, download: null, expiresAt: null };

/** What addresses are made of. */
export interface AddressedMedia {
  readonly id: string;
  readonly title: string;
  readonly media_key: string | null;
  readonly media_type: string | null;
  readonly package_key: string | null;
}

/** Whom addresses are for. */
export interface Addressee {
  readonly download: boolean;
  /** For recipients of a share link, `grantOf` it: the addresses end with the link. */
  readonly grant?: string;
}

/**
 * Signed addresses. Video and download point at the S3 service where files lie there, and at `/media/...` otherwise, as
 * they always do for a share link: S3 would not ask whether it still opens. A playlist refers to its segments
 * relatively, so the signature of a `/media/:id/hls/...` address stands in its path and holds for everything below.
 */
@Injectable()
export class MediaAddressesService {
  constructor(
    private readonly objects: ObjectStore,
    private readonly signer: UrlSigner,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Addresses that play and, where allowed, download, all until the same moment. */
  async of(media: AddressedMedia, { download, grant }: Addressee): Promise<MediaAddresses> {
    const key = media.media_key;
    if (key === null) return NO_ADDRESSES;
    const expiresAt = this.expiry();
    const file = (disposition: Delivery['disposition']): Promise<string> | string =>
      grant === undefined
        ? this.file(media, key, disposition, expiresAt)
        : this.own(media, 'video', { disposition, share: grant }, expiresAt);
    return {
      video: await file('inline'),
      hls: media.package_key === null ? null : this.playlist(media.id, grant, expiresAt),
      download: download ? await file('attachment') : null,
      expiresAt,
    };
  }

  thumbnail(media: Pick<AddressedMedia, 'id' | 'package_key'>, grant?: string): string | null {
    if (media.package_key === null) return null;
    return this.own(media, 'thumbnail', grant === undefined ? {} : { share: grant }, this.expiry());
  }

  private async file(
    media: AddressedMedia,
    key: string,
    disposition: Delivery['disposition'],
    expiresAt: Date,
  ): Promise<string> {
    const location = await this.objects.locate(key, () => {
      const type = media.media_type ?? 'application/octet-stream';
      return { type, disposition, fileName: downloadName(media.title, type), expiresAt };
    });
    if ('url' in location) return location.url;
    return this.own(media, 'video', { disposition }, expiresAt);
  }

  /** Of the service itself. */
  private own(
    { id }: Pick<AddressedMedia, 'id'>,
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

/** What the signature of a playlist is made over. */
export const hlsScope = (recordingId: string, grant?: string): string =>
  grant === undefined ? `/media/${recordingId}/hls` : `/media/${recordingId}/hls/${grant}`;
