import { extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import contentDisposition from 'content-disposition';
import type { Request, Response } from 'express';
import { Clock } from '../../platform/clock.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { UrlSigner } from '../../platform/signing/url-signer.js';
import { ObjectMissingError, ObjectStore, type Delivery } from '../../platform/storage/object-store.js';
import { hlsScope } from './media-addresses.service.js';
import { downloadName } from './media-types.js';
import { MediaService } from './media.service.js';
import { forgetFile, sendFile } from './send-file.js';

/** What a package holds, by the ending of its file. */
const PACKAGE_TYPES: Readonly<Record<string, string>> = {
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.m4s': 'video/iso.segment',
  '.mp4': 'video/mp4',
  '.jpg': 'image/jpeg',
};

const PACKAGE_PATH = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;

/** Sends media over HTTP to whoever has a signed address: ranges, conditional requests, right type, safe file name. */
@Injectable()
export class MediaDeliveryService {
  constructor(
    private readonly media: MediaService,
    private readonly objects: ObjectStore,
    private readonly signer: UrlSigner,
    private readonly clock: Clock,
  ) {}

  async video(recordingId: string, request: Request, response: Response): Promise<void> {
    this.requireSignature(request.originalUrl);
    const recording = await this.media.find(recordingId);
    if (recording.mediaKey === null) throw new DomainError('RECORDING_NOT_FOUND');
    const type = recording.mediaType ?? 'application/octet-stream';
    const disposition = request.query['disposition'] === 'attachment' ? 'attachment' : 'inline';
    const fileName = downloadName(recording.title, type);
    await this.send(recordingId, recording.mediaKey, request, response, {
      type,
      disposition,
      fileName,
      etag: `"${recording.mediaSha256}"`,
    });
  }

  async thumbnail(recordingId: string, request: Request, response: Response): Promise<void> {
    this.requireSignature(request.originalUrl);
    await this.packaged(recordingId, 'thumbnail.jpg', request, response);
  }

  /** `token` is expiry and signature of the playlist; it holds for all it refers to. */
  async hls(
    recordingId: string,
    token: string,
    path: string,
    request: Request,
    response: Response,
  ): Promise<void> {
    const [expires = '', signature = ''] = token.split('.');
    this.requireSignature(`${hlsScope(recordingId)}?expires=${expires}&signature=${signature}`);
    if (!PACKAGE_PATH.test(path)) throw new DomainError('NOT_FOUND');
    await this.packaged(recordingId, `hls/${path}`, request, response);
  }

  private async packaged(
    recordingId: string,
    path: string,
    request: Request,
    response: Response,
  ): Promise<void> {
    const type = PACKAGE_TYPES[extname(path)];
    const { packageKey } = await this.media.find(recordingId);
    if (packageKey === null || !type) throw new DomainError('NOT_FOUND');
    const fileName = path.split('/').at(-1) ?? path;
    await this.send(recordingId, `${packageKey}/${path}`, request, response, {
      type,
      disposition: 'inline',
      fileName,
    });
  }

  private async send(
    recordingId: string,
    key: string,
    request: Request,
    response: Response,
    { etag, ...file }: Omit<Delivery, 'expiresAt'> & { readonly etag?: string },
  ): Promise<void> {
    response.set({
      'Content-Type': file.type,
      'Content-Disposition': contentDisposition(file.fileName, { type: file.disposition }),
      'Cache-Control': 'private, max-age=3600',
      // Players on other sites may embed it: the address itself is the permission.
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Access-Control-Allow-Origin': '*',
      ...(etag ? { ETag: etag } : {}),
    });
    const location = await this.objects.locate(key, { ...file, expiresAt: this.soon() });
    try {
      if ('file' in location) await sendFile(location.file, request, response);
      else await this.pass(key, request, response, location.url);
    } catch (error) {
      forgetFile(response);
      if (!isMissing(error)) throw error;
      await this.explainMissing(recordingId, key, error);
    }
  }

  /** A video is fetched from the S3 service itself; the small files of a package come through here. */
  private async pass(key: string, request: Request, response: Response, url: string): Promise<void> {
    if (request.path.endsWith('/video')) {
      forgetFile(response);
      // The address it leads to ends soon.
      response.setHeader('Cache-Control', 'no-store');
      response.redirect(302, url);
      return;
    }
    const content = await this.objects.get(key);
    await pipeline(content, response).catch((error: NodeJS.ErrnoException) => {
      // A player that seeks or leaves closes the connection: not an error of anybody.
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
  }

  /** Deleted or packaged anew meanwhile, which is said; else the object is lost, which somebody must hear of. */
  private async explainMissing(recordingId: string, key: string, cause: unknown): Promise<never> {
    const { mediaKey, packageKey } = await this.media.find(recordingId);
    const lost = key === mediaKey || key === `${packageKey}/thumbnail.jpg` || key.endsWith('/master.m3u8');
    throw lost ? new DomainError('INTERNAL_ERROR', undefined, { cause }) : new DomainError('NOT_FOUND');
  }

  private requireSignature(pathAndQuery: string): void {
    if (this.signer.verify(pathAndQuery, this.clock.now())) return;
    throw new DomainError('FORBIDDEN', 'This address has expired or has been changed; ask for a new one.');
  }

  private soon(): Date {
    return new Date(this.clock.now().getTime() + 60_000);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof ObjectMissingError || (error as { status?: unknown }).status === 404;
}
