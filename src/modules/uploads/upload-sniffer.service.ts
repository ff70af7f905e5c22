import { Injectable } from '@nestjs/common';
import { fileTypeFromBuffer } from 'file-type';
import { DomainError } from '../../contract/domain-error.js';
import type { Upload } from './entities/upload.entity.js';
import { UploadPartsService } from './upload-parts.service.js';
import { notMedia } from './upload-refusals.js';
import { UploadsService } from './uploads.service.js';

/** Enough bytes to detect the type of a file. */
export const HEAD_SIZE = 4_100;

/** Some audio and video containers have an `application` media type. */
const MEDIA = /^(audio|video)\/|^application\/(ogg|mxf|vnd\.ms-asf)$/;

/** Detects the type of an upload from its first bytes, ignoring its name and headers. */
@Injectable()
export class UploadSnifferService {
  constructor(
    private readonly uploads: UploadsService,
    private readonly parts: UploadPartsService,
  ) {}

  /**
   * The media type; null while there are too few bytes to detect it. `bytes` follow those received so far, up to the
   * offset `end`. Anything but audio and video ends the upload with 415.
   */
  async sniff(upload: Upload, bytes: Uint8Array, end: number): Promise<string | null> {
    const before =
      upload.received > 0 ? await this.parts.head(upload.recordingId, HEAD_SIZE) : Buffer.alloc(0);
    const head = Buffer.concat([before, bytes]).subarray(0, HEAD_SIZE);
    // It throws on truncated or damaged archives.
    const type = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime;
    if (type && MEDIA.test(type)) return type;
    if (!type && head.length < HEAD_SIZE && end !== upload.size) return null;
    throw await this.refuse(upload, type);
  }

  /** Ends an upload whose bytes are neither audio nor video. */
  async refuse(upload: Upload, type: string | undefined): Promise<DomainError> {
    const reason = notMedia(type);
    await this.uploads.refuse(upload, reason);
    return new DomainError('UNSUPPORTED_MEDIA_TYPE', reason);
  }
}
