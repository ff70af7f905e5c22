import { Inject, Injectable } from '@nestjs/common';
import { PEAKS } from '../../lib/media-engine/process/packager-messages.js';
import { Clock } from '../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import { UrlSigner } from '../../platform/secrets/url-signer.js';
import type { Delivery } from '../../platform/storage/object-store.js';
import { mayPlay } from '../../policy/recording-access.js';
import { captionsOf } from '../recordings/access/public/captions.js';
import type { OpenRecording } from '../recordings/access/recording-access.service.js';
import type { Track } from './entities/track.entity.js';
import { objectsOf, versionOf } from './public/media-objects.js';
import {
  hlsScope,
  NO_MEDIA_URLS,
  SOURCE,
  type MediaUrls,
  type RecordingMedia,
  type TrackUrls,
  type UrlHolder,
} from './public/media-urls.js';

/**
 * Signed URLs of the service itself, wherever files are stored: every delivery checks what the holder may still do,
 * which S3 would not. A playlist refers to its segments relatively, so the signature of a `/media/:id/hls/...` URL is
 * part of its path and covers everything below. URLs name the version of the media, because replaced media is still
 * delivered to those who are playing it.
 */
@Injectable()
export class MediaUrlsService {
  constructor(
    private readonly signer: UrlSigner,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Signs the URLs of an open recording, for the caller that `access` was decided for, or for recipients of a share
   * link, who may `download` only as it permits. There are none of its media if it may not be played.
   */
  forRecording(
    recording: OpenRecording,
    holder: UrlHolder,
    permission: { readonly download: boolean },
  ): RecordingMedia {
    const { row, access } = recording;
    return {
      media: mayPlay(access) ? this.forPlayback(recording, holder, permission) : NO_MEDIA_URLS,
      thumbnail: this.thumbnail(row, holder),
    };
  }

  thumbnail(row: Pick<OpenRecording['row'], 'id' | 'packageKey'>, holder: UrlHolder): string | null {
    if (row.packageKey === null) return null;
    return this.url(row.id, 'thumbnail', { [holder.kind]: holder.id }, this.expiry(holder));
  }

  /** The same for its tracks: none of those that are not processed. */
  forTracks<T extends Pick<Track, 'id' | 'packageKey' | 'audioPlaylist' | 'picturePlaylist'>>(
    { row, access }: OpenRecording,
    holder: UrlHolder,
    { download }: { readonly download: boolean },
    tracks: readonly T[],
  ): (T & TrackUrls)[] {
    const end = this.expiry(holder);
    const query = { disposition: 'attachment', [holder.kind]: holder.id };
    return tracks.map((track) => {
      const path = mayPlay(access) ? track.packageKey?.slice(objectsOf(row.id).length) : undefined;
      const of = (file: string | null): string | null =>
        path && file ? this.packaged(row.id, holder, end, `${path}/${file}`) : null;
      return {
        ...track,
        hlsUrl: of(track.audioPlaylist),
        pictureHlsUrl: of(track.picturePlaylist),
        peaksUrl: of(PEAKS),
        downloadUrl: path && download ? this.url(row.id, 'video', { ...query, track: track.id }, end) : null,
        urlsExpireAt: path ? end : null,
      };
    });
  }

  /** URLs for playback and, if permitted, download and captions, all with the same expiry. */
  private forPlayback(
    { row, access }: OpenRecording,
    holder: UrlHolder,
    { download }: { readonly download: boolean },
  ): MediaUrls {
    const { id, mediaKey, packageKey } = row;
    if (mediaKey === null) return NO_MEDIA_URLS;
    const expiresAt = this.expiry(holder);
    // Viewers who have begun with the source go on with it when it has been converted.
    const source: Record<string, string> = packageKey === null ? { file: SOURCE } : {};
    const version = versionOf(mediaKey);
    const file = (disposition: Delivery['disposition']): string =>
      this.url(id, 'video', { disposition, ...source, [holder.kind]: holder.id, version }, expiresAt);
    return {
      video: file('inline'),
      hls: packageKey && this.packaged(id, holder, expiresAt, `${versionOf(packageKey)}/master.m3u8`),
      download: download ? file('attachment') : null,
      captions: captionsOf(row, access)
        ? this.url(id, 'captions.vtt', { [holder.kind]: holder.id }, expiresAt)
        : null,
      expiresAt,
    };
  }

  private url(
    recordingId: string,
    what: 'video' | 'thumbnail' | 'captions.vtt',
    query: Readonly<Record<string, string>>,
    expiresAt: Date,
  ): string {
    return this.publicUrl.resolve(this.signer.sign(`/media/${recordingId}/${what}`, query, expiresAt));
  }

  private packaged(recordingId: string, holder: UrlHolder, expiresAt: Date, path: string): string {
    const scope = hlsScope(recordingId, holder);
    const token = this.signer.token(scope, expiresAt);
    return this.publicUrl.resolve(`${scope}.${token}/${path}`);
  }

  private expiry({ endsAt }: UrlHolder): Date {
    const usual = this.clock.now().getTime() + this.settings.mediaUrlTtl * 1000;
    return new Date(Math.floor(Math.min(usual, endsAt?.getTime() ?? Infinity) / 1000) * 1000);
  }
}
