import { Inject, Injectable } from '@nestjs/common';
import { fileTypeFromBuffer } from 'file-type';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Upload } from './entities/upload.entity.js';
import type { Checksum } from './checksum.js';
import { UploadPartsService } from './upload-parts.service.js';
import { EMPTY_FILE, UploadsService, type NewPart } from './uploads.service.js';

/** Bytes that are stored and acknowledged together: what a crash may cost, and what one upload takes of memory. */
const PART_SIZE = 8 * 1024 * 1024;
/** What comes in slowly, from a meeting that runs, is stored after so long in any case. */
const PART_AFTER_MS = 5_000;
/** Enough of a file to tell its type. */
const HEAD_SIZE = 4_100;

/** Containers that hold audio or video are called `application` now and then. */
const MEDIA = /^(audio|video)\/|^application\/(ogg|mxf|vnd\.ms-asf)$/;

export interface ReceiveOptions {
  /** Bytes that are to come, where that is known. */
  readonly length?: number;
  /** Nothing counts before all of it is here and matches. */
  readonly checksum?: Checksum;
}

/**
 * Takes the bytes of a request into an upload, part by part. A part counts once it is durable in the object store and
 * then in the database; when the connection breaks, what has arrived by then still counts.
 */
@Injectable()
export class UploadReceiverService {
  constructor(
    private readonly uploads: UploadsService,
    private readonly parts: UploadPartsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Returns the upload as it is afterwards. */
  async receive(
    upload: Upload,
    content: AsyncIterable<Uint8Array>,
    { length, checksum }: ReceiveOptions = {},
  ): Promise<Upload> {
    const buffer = Buffer.allocUnsafeSlow(Math.min(PART_SIZE, length ?? PART_SIZE) || 1);
    const pending: NewPart[] = [];
    let current = upload;
    let filled = 0;
    let offset = upload.received;

    let broken = false;
    let flushedAt = performance.now();

    async function* arriving(): AsyncIterable<Uint8Array> {
      try {
        yield* content;
      } catch (error) {
        broken = !(error instanceof DomainError);
        throw error;
      }
    }

    const flush = async (last: boolean): Promise<void> => {
      const bytes = buffer.subarray(0, filled);
      const mediaType = current.mediaType ?? (await this.sniff(current, bytes, last));
      if (filled > 0) pending.push(await this.parts.store(upload.recordingId, offset, bytes));
      offset += filled;
      filled = 0;
      flushedAt = performance.now();
      if (checksum && !last) {
        current = { ...current, mediaType };
        return;
      }
      if (pending.length === 0) return;
      if (checksum && !checksum.matches()) throw new DomainError('CHECKSUM_MISMATCH');
      const counted = pending.splice(0);
      current = await this.uploads
        .append(upload.recordingId, counted, mediaType)
        .catch(async (error: unknown) => {
          // Refused for certain. After any other error nobody knows: the parts may count, so they stay.
          if (error instanceof DomainError) await this.parts.drop(counted);
          throw error;
        });
    };

    try {
      try {
        for await (const chunk of arriving()) {
          checksum?.update(chunk);
          for (let taken = 0; taken < chunk.length;) {
            const room = Math.min(buffer.length - filled, chunk.length - taken);
            buffer.set(chunk.subarray(taken, taken + room), filled);
            filled += room;
            taken += room;
            if (filled === buffer.length || performance.now() - flushedAt > PART_AFTER_MS) await flush(false);
          }
        }
      } catch (error) {
        // The connection broke: what has arrived is kept, unless a checksum was to prove it.
        if (broken && filled > 0 && !checksum) await flush(true);
        throw error;
      }
      await flush(true);
      return current;
    } catch (error) {
      await this.parts.drop(pending);
      throw error;
    }
  }

  /** A whole file, in place of whatever was received of it before. */
  async receiveWhole(
    recordingId: string,
    content: AsyncIterable<Uint8Array>,
    length?: number,
  ): Promise<void> {
    const { size } = await this.uploads.find(recordingId);
    const most = this.settings.maxUploadSize;
    if (length !== undefined && length > most) throw tooLarge(most);
    if (size !== null && length !== undefined && length !== size) {
      throw new DomainError('CONFLICT', `Content-Length: this upload has ${size} bytes, as announced`);
    }
    const { received, closedAt } = await this.receive(
      await this.uploads.restart(recordingId),
      limited(content, most),
      { length },
    ).catch(async (error: unknown) => {
      if (error instanceof DomainError && error.code === 'PAYLOAD_TOO_LARGE') {
        await this.uploads.restart(recordingId);
      }
      throw error;
    });
    if (received === 0) {
      await this.uploads.refuse(recordingId, EMPTY_FILE);
      throw new DomainError('UNSUPPORTED_MEDIA_TYPE', EMPTY_FILE);
    }
    if (closedAt === null) await this.uploads.declareSize(recordingId, received);
  }

  /** What the bytes are; null when there are too few to tell. Anything but audio and video ends the upload. */
  private async sniff(upload: Upload, bytes: Uint8Array, last: boolean): Promise<string | null> {
    const before =
      upload.received > 0 ? await this.parts.head(upload.recordingId, HEAD_SIZE) : new Uint8Array();
    const head = Buffer.concat([before, bytes.subarray(0, Math.max(0, HEAD_SIZE - before.length))]);
    const type = (await fileTypeFromBuffer(head))?.mime;
    if (type && MEDIA.test(type)) return type;
    const complete = last && upload.size !== null && upload.received + bytes.length >= upload.size;
    if (!type && head.length < HEAD_SIZE && !complete) return null;
    throw await this.refuse(upload, type);
  }

  private async refuse(upload: Upload, type: string | undefined): Promise<DomainError> {
    const found = type ? `it is ${type}` : 'its type is unknown';
    const reason = `The file is neither audio nor video: ${found}.`;
    await this.uploads.refuse(upload.recordingId, reason);
    return new DomainError('UNSUPPORTED_MEDIA_TYPE', reason);
  }
}

async function* limited(content: AsyncIterable<Uint8Array>, most: number): AsyncIterable<Uint8Array> {
  let seen = 0;
  for await (const chunk of content) {
    seen += chunk.length;
    if (seen > most) throw tooLarge(most);
    yield chunk;
  }
}

function tooLarge(most: number): DomainError {
  return new DomainError('PAYLOAD_TOO_LARGE', `An upload has at most ${most} bytes.`);
}
