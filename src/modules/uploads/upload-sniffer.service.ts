import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { detectFileType, HEAD_SIZE, isMediaType, leadingZeros } from '../../lib/file-types/file-type.js';
import { ObjectStore } from '../../platform/storage/object-store.js';
import { UploadPart } from './entities/upload-part.entity.js';
import type { Upload } from './entities/upload.entity.js';
import { notMedia } from './upload-refusals.js';
import { UploadsService } from './uploads.service.js';

/** Of a file that begins with so many zeros that only packaging can detect it. */
const UNKNOWN = 'application/octet-stream';
/** Bytes behind leading zeros that are enough to detect the type of audio. */
const ENOUGH_BEHIND_ZEROS = 64;

/** Detects the type of an upload from its first bytes, ignoring its name and headers. */
@Injectable()
export class UploadSnifferService {
  constructor(
    private readonly uploads: UploadsService,
    private readonly objects: ObjectStore,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /**
   * The media type; null while there are too few bytes to detect it. `bytes` follow those received so far. Anything but audio
   * and video ends the upload with 415.
   */
  async sniff(upload: Upload, bytes: Uint8Array): Promise<string | null> {
    const before = upload.received > 0 ? await this.headOf(upload) : Buffer.alloc(0);
    const head = Buffer.concat([before, bytes.subarray(0, HEAD_SIZE)]).subarray(0, HEAD_SIZE);
    const isComplete = upload.received + bytes.length === upload.size;
    const enough = isComplete || head.length === HEAD_SIZE;
    const type = await detectFileType(head, enough);
    if (type !== null ? isMediaType(type) : !enough) return type;
    if (type === null && !isComplete && leadingZeros(head) > HEAD_SIZE - ENOUGH_BEHIND_ZEROS) return UNKNOWN;
    throw await this.refuse(upload, type);
  }

  /** Ends an upload that turned out to be complete before its type was detected. */
  async refuseUnknown(upload: Upload): Promise<DomainError> {
    const type = await detectFileType(await this.headOf(upload), true);
    return this.refuse(upload, type !== null && isMediaType(type) ? null : type);
  }

  private async refuse(upload: Upload, type: string | null): Promise<DomainError> {
    const reason = notMedia(type);
    await this.uploads.refuse(upload, reason);
    return new DomainError('UNSUPPORTED_MEDIA_TYPE', reason);
  }

  /** The first bytes received, at most `HEAD_SIZE`. */
  private async headOf({ recordingId }: Upload): Promise<Buffer> {
    const parts = await this.dataSource.manager.find(UploadPart, {
      where: { recordingId },
      order: { start: 'ASC' },
      take: HEAD_SIZE,
    });
    const chunks: Buffer[] = [];
    let missing = HEAD_SIZE;
    for (const { key, size } of parts) {
      if (missing <= 0) break;
      const end = Math.min(size, missing) - 1;
      for await (const chunk of await this.objects.get(key, { start: 0, end })) chunks.push(chunk as Buffer);
      missing -= size;
    }
    return Buffer.concat(chunks);
  }
}
