import { extname } from 'node:path';
import { text } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { DataSource, type FindOptionsWhere } from 'typeorm';
import { PLAYLIST, THUMBNAIL } from '../../../lib/media-engine/process/packager-messages.js';
import { Clock } from '../../../platform/clock/clock.js';
import { DomainError, required } from '../../../contract/domain-error.js';
import { ObjectMissingError, ObjectStore } from '../../../platform/storage/object-store.js';
import {
  CaptionsDeliveryService,
  CAPTIONS_FILE,
  CAPTIONS_PLAYLIST,
  HLS_TYPE,
  captionsRendition,
} from './captions-delivery.service.js';
import {
  clearFileHeaders,
  etagOf,
  setFileHeaders,
  type FileDescription,
  downloadName,
  matchesEtag,
  sendNotModified,
} from '../public/file-headers.js';
import { MediaPermitService, type Permit } from './media-permit.service.js';
import { Track } from '../entities/track.entity.js';
import { objectsOf } from '../public/media-objects.js';
import { SOURCE, type UrlHolder } from '../public/media-urls.js';
import { withRenditions, type Renditions } from './renditions.js';
import { findTrackRenditions } from './track-renditions.js';
import { RecordingViewsService } from '../../recordings/access/recording-views.service.js';
import { ReadsService } from '../../audit/reads.service.js';
import { MediaService } from '../media.service.js';
import { RetiredMediaService, type DeliveredMedia } from '../retired-media.service.js';
import { sendObject } from '../public/send-object.js';
import { SECOND_MS } from '../../../lib/durations.js';
import { LIMITS } from '../../../contract/limits.js';

/** Media types of the files in a package, by extension. */
const PACKAGE_TYPES: Readonly<Record<string, string>> = {
  '.m3u8': HLS_TYPE,
  '.mp4': 'video/mp4',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
};

const OTHER_TYPE = 'application/octet-stream';
/** Of packages of tracks, whose paths are as those of their keys. */
const TRACKS = 'tracks/';
const PACKAGE_PATH = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;

interface ServedObject extends FileDescription {
  readonly key: string;
  /** Changes the content, which is then text and short. */
  readonly edit?: (content: string) => string;
}

/** Serves media over HTTP at signed URLs: ranges, conditional requests, correct media type, safe file name. */
@Injectable()
export class MediaDeliveryService {
  constructor(
    private readonly media: MediaService,
    private readonly objects: ObjectStore,
    private readonly permits: MediaPermitService,
    private readonly retired: RetiredMediaService,
    private readonly dataSource: DataSource,
    private readonly captionsDelivery: CaptionsDeliveryService,
    private readonly reads: ReadsService,
    private readonly views: RecordingViewsService,
    private readonly clock: Clock,
  ) {}

  async video(recordingId: string, response: Response): Promise<void> {
    const { query } = response.req;
    if (typeof query['track'] === 'string') return this.trackFile(recordingId, query['track'], response);
    const disposition = query['disposition'] === 'attachment' ? 'attachment' : 'inline';
    const use = disposition === 'attachment' ? 'download' : 'playback';
    const permit = await this.permits.permitFile(recordingId, response.req, use);
    const { version } = query;
    // Current media if the URL names no version, or one converted since.
    const found =
      typeof version === 'string' && (await this.retired.find(recordingId, permit.media, version));
    const media = found || permit.media;
    const { key, type, sha256 } = fileOf(media, query['file']);
    if (key === null) throw new DomainError('RECORDING_NOT_FOUND');
    this.note(permit, response);
    const fileName = downloadName(permit.media.title, type);
    const file = { key, type, disposition, fileName, etag: `"${sha256}"` } as const;
    await this.send(permit, file, response);
  }

  private async trackFile(recordingId: string, id: string, response: Response): Promise<void> {
    const permit = await this.permits.permitFile(recordingId, response.req, 'trackDownload');
    const { name, sourceKey, sourceType, sourceSha256 } = await this.findTrack({ id, recordingId });
    this.note(permit, response);
    const [key, type] = [required(sourceKey, 'NOT_FOUND'), sourceType ?? OTHER_TYPE];
    const fileName = downloadName(`${permit.media.title} - ${name}`, type);
    const file = { key, type, disposition: 'attachment', fileName, etag: `"${sourceSha256}"` } as const;
    await this.send(permit, file, response);
  }

  async thumbnail(recordingId: string, response: Response): Promise<void> {
    const permit = await this.permits.permitFile(recordingId, response.req, 'thumbnail');
    await this.packaged(permit, THUMBNAIL, response);
  }

  /** The same for a holder who has been checked already, at a URL that is not signed. */
  async sendThumbnail(recordingId: string, holder: UrlHolder, response: Response): Promise<void> {
    const permit = await this.permits.permit(recordingId, holder, 'thumbnail');
    await this.packaged(permit, THUMBNAIL, response);
  }

  async captions(recordingId: string, response: Response): Promise<void> {
    const permit = await this.permits.permitFile(recordingId, response.req, 'captions');
    await this.captionsDelivery.sendFile(permit, response);
  }

  /** `token` is the signature of the playlist, which covers everything it refers to. */
  async hls(recordingId: string, token: string, path: string, response: Response): Promise<void> {
    if (path.startsWith(TRACKS)) return this.track(recordingId, token, path, response);
    const [version = '', ...rest] = path.split('/');
    const name = rest.join('/');
    const use = name === CAPTIONS_PLAYLIST || name === CAPTIONS_FILE ? 'captions' : 'playback';
    const issued = await this.permits.permitPlaylist(recordingId, token, use);
    if (!PACKAGE_PATH.test(path)) throw new DomainError('NOT_FOUND');
    const permit = await this.withVersion(issued, version);
    if (use === 'playback') this.note(permit, response);
    if (name === CAPTIONS_PLAYLIST) this.captionsDelivery.sendPlaylist(permit, response);
    else if (name === CAPTIONS_FILE) await this.captionsDelivery.sendFile(permit, response);
    else if (`hls/${name}` === PLAYLIST) await this.multivariant(permit, response);
    else await this.packaged(permit, `hls/${name}`, response);
  }

  /** `path`: as `MediaUrlsService` has it, that of a file below the key of the package of a track. */
  private async track(recordingId: string, token: string, path: string, response: Response): Promise<void> {
    const permit = await this.permits.permitPlaylist(recordingId, token, 'track');
    if (!PACKAGE_PATH.test(path)) throw new DomainError('NOT_FOUND');
    const parts = path.split('/');
    const packageKey = objectsOf(recordingId) + parts.splice(0, 3).join('/');
    await this.findTrack({ recordingId, packageKey });
    this.note(permit, response);
    await this.packaged({ ...permit, media: { ...permit.media, packageKey } }, parts.join('/'), response);
  }

  /** The track of this id or package; 404 `NOT_FOUND` if there is none any more. */
  private async findTrack(which: FindOptionsWhere<Track>): Promise<Track> {
    return required(await this.dataSource.manager.findOneBy(Track, which), 'NOT_FOUND');
  }

  /** The playlist of the recording, with captions and those who can be heard alone. */
  private async multivariant(permit: Permit, response: Response): Promise<void> {
    const captions = permit.captions && captionsRendition(permit.captions.transcriptLanguage);
    const voices = permit.tracks
      ? await findTrackRenditions(this.dataSource.manager, permit.recordingId)
      : null;
    const groups = [captions, voices].filter((group) => group !== null);
    await this.packaged(permit, PLAYLIST, response, groups);
  }

  private note({ recordingId, holder, caller }: Permit, { req }: Response): void {
    this.views.note(recordingId);
    if (!this.reads.isOn) return;
    const reader = holder.kind === 'share' ? { linkId: caller } : { userId: caller, apiKeyId: holder.id };
    this.reads.note('recording.watched', recordingId, reader, req);
  }

  private async withVersion(permit: Permit, version: string): Promise<Permit> {
    const media = required(await this.retired.find(permit.recordingId, permit.media, version), 'NOT_FOUND');
    // The transcript is that of the current media.
    const isCurrent = media.packageKey === permit.media.packageKey;
    return { ...permit, media: { ...permit.media, ...media }, captions: isCurrent ? permit.captions : null };
  }

  private async packaged(
    permit: Permit,
    path: string,
    response: Response,
    groups: readonly Renditions[] = [],
  ): Promise<void> {
    const type = PACKAGE_TYPES[extname(path)];
    const { packageKey } = permit.media;
    if (packageKey === null || !type) throw new DomainError('NOT_FOUND');
    const fileName = path.split('/').at(-1) ?? path;
    const key = `${packageKey}/${path}`;
    const file = { key, type, disposition: 'inline', fileName, etag: etagOf(key) } as const;
    if (groups.length === 0) return this.send(permit, file, response);
    const edit = (playlist: string): string => withRenditions(playlist, groups);
    await this.send(permit, { ...file, etag: etagOf(key + JSON.stringify(groups)), edit }, response);
  }

  private async send(
    { recordingId, holder }: Permit,
    { key, edit, ...file }: ServedObject,
    response: Response,
  ): Promise<void> {
    if (holder.kind === 'share') response.req.withShareLink = true;
    setFileHeaders(response, file);
    if (matchesEtag(response)) return sendNotModified(response);
    try {
      if (edit) return void response.send(Buffer.from(edit(await text(await this.objects.get(key)))));
      // Downloads with a key come from S3 directly. Playback does not: browsers go back to the URL that they were
      // redirected to, which has expired when a viewer seeks a minute later. Nor does HEAD: S3 accepts the URL only for
      // GET.
      const isDownload = file.disposition === 'attachment' && response.req.method === 'GET';
      const url = holder.kind === 'key' && isDownload ? await this.urlOf(key, file) : null;
      if (url === null) return await sendObject(this.objects, key, response);
      clearFileHeaders(response);
      // The target URL expires soon.
      response.setHeader('Cache-Control', 'no-store');
      response.redirect(302, url);
    } catch (error) {
      clearFileHeaders(response);
      if (!(error instanceof ObjectMissingError)) throw error;
      await this.explainMissing(recordingId, key, error);
    }
  }

  /** Throws 404 if the media was deleted or repackaged; otherwise the object is lost, which must be noticed. */
  private async explainMissing(recordingId: string, key: string, cause: unknown): Promise<never> {
    const { mediaKey, sourceKey, packageKey } = await this.media.find(recordingId);
    const packaged = [THUMBNAIL, PLAYLIST].map((path) => `${packageKey}/${path}`);
    const lost = [mediaKey, sourceKey, ...packaged].includes(key);
    throw lost ? new DomainError('INTERNAL_ERROR', undefined, { cause }) : new DomainError('NOT_FOUND');
  }

  /** A URL of S3 for clients to download from; null if files are stored elsewhere, or encrypted. */
  private async urlOf(key: string, file: FileDescription): Promise<string | null> {
    const expiresAt = new Date(this.clock.now().getTime() + LIMITS.mediaRedirectSeconds * SECOND_MS);
    const location = await this.objects.locate(key, () => ({ ...file, expiresAt }));
    return location && 'url' in location ? location.url : null;
  }
}

/** The video, or the original that it was before it was converted. */
function fileOf(
  media: DeliveredMedia,
  wanted: unknown,
): { key: string | null; type: string; sha256: string | null } {
  if (wanted === SOURCE && media.sourceKey !== null)
    return { key: media.sourceKey, type: media.sourceType ?? OTHER_TYPE, sha256: media.sourceSha256 };
  return { key: media.mediaKey, type: media.mediaType ?? OTHER_TYPE, sha256: media.mediaSha256 };
}
