import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { PublicUrl } from '../../platform/http/public-url.js';
import { UrlSigner } from '../../platform/signing/url-signer.js';
import { ObjectStore, type Delivery } from '../../platform/storage/object-store.js';
import { downloadName } from './media-types.js';

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

/**
 * Signed addresses. Video and download point at the S3 service where files lie there, and at `/media/...` otherwise. A
 * playlist refers to its segments relatively, so the signature of a `/media/:id/hls/...` address stands in its path and
 * holds for everything below.
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
  async of(media: AddressedMedia, { download }: { download: boolean }): Promise<MediaAddresses> {
    if (media.media_key === null) return NO_ADDRESSES;
    const expiresAt = this.expiry();
    return {
      video: await this.file(media, media.media_key, 'inline', expiresAt),
      hls: media.package_key === null ? null : this.playlist(media.id, expiresAt),
      download: download ? await this.file(media, media.media_key, 'attachment', expiresAt) : null,
      expiresAt,
    };
  }

  thumbnail(media: Pick<AddressedMedia, 'id' | 'package_key'>): string | null {
    if (media.package_key === null) return null;
    return this.publicUrl.of(this.signer.sign(`/media/${media.id}/thumbnail`, {}, this.expiry()));
  }

  private async file(
    media: AddressedMedia,
    key: string,
    disposition: Delivery['disposition'],
    expiresAt: Date,
  ): Promise<string> {
    const type = media.media_type ?? 'application/octet-stream';
    const fileName = downloadName(media.title, type);
    const location = await this.objects.locate(key, { type, disposition, fileName, expiresAt });
    if ('url' in location) return location.url;
    return this.publicUrl.of(this.signer.sign(`/media/${media.id}/video`, { disposition }, expiresAt));
  }

  private playlist(recordingId: string, expiresAt: Date): string {
    const signed = this.signer.sign(hlsScope(recordingId), {}, expiresAt);
    const { searchParams } = new URL(signed, 'http://any');
    const token = `${searchParams.get('expires')}.${searchParams.get('signature')}`;
    return this.publicUrl.of(`${hlsScope(recordingId)}/${token}/master.m3u8`);
  }

  private expiry(): Date {
    const seconds = Math.floor(this.clock.now().getTime() / 1000) + this.settings.mediaUrlTtl;
    return new Date(seconds * 1000);
  }
}

/** What the signature of a playlist is made over. */
export const hlsScope = (recordingId: string): string => `/media/${recordingId}/hls`;
