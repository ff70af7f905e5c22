import { stat } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import contentDisposition from 'content-disposition';
import type { Request, Response } from 'express';
import { Clock } from '../../platform/clock.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { UrlSigner } from '../../platform/signing/url-signer.js';
import { DiskObjectStore } from '../../platform/storage/disk.object-store.js';
import { downloadName } from './media-types.js';
import { MediaService } from './media.service.js';

const ERROR_CODES = {
  412: 'PRECONDITION_FAILED',
  416: 'RANGE_NOT_SATISFIABLE',
} as const;

/** Sends media of the disk store over HTTP: ranges, conditional requests, the right type and a safe file name. */
@Injectable()
export class MediaDeliveryService {
  constructor(
    private readonly media: MediaService,
    private readonly store: DiskObjectStore,
    private readonly signer: UrlSigner,
    private readonly clock: Clock,
  ) {}

  async deliver(recordingId: string, request: Request, response: Response): Promise<void> {
    if (!this.signer.verify(request.originalUrl, this.clock.now())) {
      throw new DomainError('FORBIDDEN', 'This address has expired or has been changed; ask for a new one.');
    }
    const recording = await this.media.find(recordingId);
    const path = this.store.pathOf(recording.mediaKey);
    await fitSuffixRange(request, path);
    const type = recording.mediaType ?? 'application/octet-stream';
    const disposition = request.query['disposition'] === 'attachment' ? 'attachment' : 'inline';
    response.set({
      'Content-Type': type,
      'Content-Disposition': contentDisposition(downloadName(recording.title, type), { type: disposition }),
      'Cache-Control': 'private, max-age=3600',
      // Players on other sites may embed it: the address itself is the permission.
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ETag: `"${recording.mediaSha256}"`,
    });
    try {
      await send(path, response);
    } catch (error) {
      if ((error as { status?: unknown }).status !== 404) throw error;
      // Deleted meanwhile, which this says; else the object is lost, which somebody must hear of.
      await this.media.find(recordingId);
      throw new DomainError('INTERNAL_ERROR', undefined, { cause: error });
    }
  }
}

/** RFC 9110, 14.1.2: a suffix longer than the file means all of it; `range-parser` calls that unsatisfiable. */
async function fitSuffixRange(request: Request, path: string): Promise<void> {
  const length = /^bytes=-(\d+)$/.exec(request.headers.range ?? '')?.[1];
  if (length === undefined) return;
  const file = await stat(path).catch((error: NodeJS.ErrnoException) => {
    // Sending it says so.
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file && file.size > 0 && Number(length) > file.size) request.headers.range = 'bytes=0-';
}

function send(path: string, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    response.sendFile(
      path,
      { dotfiles: 'allow', cacheControl: false },
      (error?: Error & { status?: number; code?: string }) => {
        // A player that seeks or leaves closes the connection: not an error of anybody.
        if (!error || error.code === 'ECONNABORTED' || error.code === 'EPIPE') return resolve();
        if (!response.headersSent) {
          for (const header of [
            'Content-Type',
            'Content-Disposition',
            'Cache-Control',
            'ETag',
            'Last-Modified',
          ]) {
            response.removeHeader(header);
          }
        }
        const code = ERROR_CODES[error.status as keyof typeof ERROR_CODES];
        return reject(code ? new DomainError(code, undefined, { cause: error }) : error);
      },
    );
  });
}
