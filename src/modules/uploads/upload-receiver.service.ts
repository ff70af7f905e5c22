import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { conflict, DomainError } from '../../contract/domain-error.js';
import { forgetRest, openFile } from '../../platform/http/bodies/sent-file.js';
import { ServiceError } from '../../platform/errors/service-error.js';
import { DiskSpace } from '../../platform/storage/disk-space.js';
import { ObjectStore } from '../../platform/storage/object-store.js';
import type { Upload } from './entities/upload.entity.js';
import { refuse, refuseUnknownType, UploadWriter } from './upload-writer.js';
import { EMPTY_FILE, requireOpen, wrongSize } from './upload-refusals.js';
import { UploadsService } from './uploads.service.js';
import type { Caller } from '../../policy/caller.js';

/** Refusals that leave only the beginning of a whole file, which is discarded. */
const INCOMPLETE = new Set(['PAYLOAD_TOO_LARGE', 'QUOTA_EXCEEDED', 'VALIDATION_ERROR']);

/** Receives the bytes of a request into an upload; if the connection breaks, those received by then are kept. */
@Injectable()
export class UploadReceiverService {
  constructor(
    readonly uploads: UploadsService,
    readonly objects: ObjectStore,
    readonly disk: DiskSpace,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Appends bytes, `length` of them if known, and returns the resulting upload, closed if they are the whole file. */
  async receive(
    upload: Upload,
    content: AsyncIterable<Uint8Array>,
    length?: number,
    isWhole = false,
  ): Promise<Upload> {
    await this.disk.requireRoom();
    const idleMs = this.settings.uploadIdleTimeout * 1000;
    const total = isWhole ? length : undefined;
    const writer = new UploadWriter(upload, this, { length, total, idleMs });
    await fill(writer, asDeclared(upload, content));
    return writer.flush();
  }

  /**
   * Receives the whole file of a request, its body or in a form; `uploadOf` decides meanwhile whether the caller may send
   * it, and returns the id of its upload.
   */
  async receiveRequest(caller: Caller, request: Request, uploadOf: () => Promise<string>): Promise<void> {
    const open = openFile(request);
    try {
      const claim = await this.uploads.claim();
      const id = await uploadOf();
      const isGone = (): boolean => request.readableAborted;
      await this.receiveWhole(id, { ...(await open()), claim, sender: caller, isGone });
    } catch (error) {
      forgetRest(request);
      if (!request.errored) throw error;
      // Nobody is left to read this reply, but the log then shows that the service was not at fault.
      const message = 'The connection was closed before the file was complete.';
      throw new DomainError('REQUEST_TIMEOUT', message, { cause: error });
    }
  }

  /** Receives a whole file, replacing whatever was received before. */
  async receiveWhole(recordingId: string, file: WholeFile): Promise<void> {
    const { content, length, minLength = length, claim } = file;
    const { size } = requireOpen(await this.uploads.findOpen(recordingId));
    const maxBytes = this.settings.maxUploadSize;
    if (minLength !== undefined && minLength > maxBytes) throw tooLarge(maxBytes);
    if (size !== null && length !== undefined && length !== size) {
      throw conflict(`Content-Length: must be ${size}, the declared size of the upload`);
    }
    // Before what was received earlier is discarded.
    await this.disk.requireRoom();
    const begun = await this.uploads.restart(recordingId, claim, file);
    const upload = await this.receive(begun, limited(content, maxBytes), length, true).catch(
      async (error: unknown) => {
        if (error instanceof ServiceError && INCOMPLETE.has(error.code))
          await this.uploads.restart(recordingId, claim);
        throw error;
      },
    );
    await this.complete(upload);
  }

  /** Ends an upload that was begun without a size, after its last byte. Throws if it is not a recording. */
  async complete(upload: Upload): Promise<void> {
    if (upload.received === 0) throw await refuse(this.uploads, upload, EMPTY_FILE);
    if (upload.mediaType === null) throw await refuseUnknownType(this, upload);
    if (upload.closedAt === null) await this.uploads.declareSize(upload, upload.received);
  }
}

async function fill(writer: UploadWriter, content: AsyncIterable<Uint8Array>): Promise<void> {
  let connectionBroke = false;
  async function* arriving(): AsyncIterable<Uint8Array> {
    try {
      yield* content;
    } catch (error) {
      connectionBroke = !(error instanceof ServiceError);
      throw error;
    }
  }
  try {
    for await (const chunk of arriving()) await writer.add(chunk);
  } catch (error) {
    if (connectionBroke) await writer.flush();
    throw error;
  }
}

/**
 * Fails at the first byte beyond the declared size, before its last byte is delivered, which would complete the upload.
 * If the connection breaks, everything that arrived is delivered.
 */
async function* asDeclared(upload: Upload, content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const { size, received } = upload;
  if (size === null) return yield* content;
  let left = size - received;
  let last: Uint8Array | null = null;
  try {
    for await (const chunk of content) {
      left -= chunk.length;
      if (left < 0) throw wrongSize('PAYLOAD_TOO_LARGE', upload);
      if (left > 0) yield chunk;
      else last ??= chunk;
    }
  } catch (error) {
    if (last && !(error instanceof ServiceError)) yield last;
    throw error;
  }
  if (last) yield last;
}

async function* limited(content: AsyncIterable<Uint8Array>, maxBytes: number): AsyncIterable<Uint8Array> {
  let seen = 0;
  for await (const chunk of content) {
    seen += chunk.length;
    if (seen > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

function tooLarge(maxBytes: number): DomainError {
  return new DomainError('PAYLOAD_TOO_LARGE', `An upload may have at most ${maxBytes} bytes.`);
}

/** A file that a client sends in one request. */
export interface WholeFile {
  readonly content: AsyncIterable<Uint8Array>;
  /** The request's claim, from `UploadsService.claim`. */
  readonly claim: number;
  /** Bytes, if known. */
  readonly length?: number;
  /** The fewest bytes that it can have; by default, `length`. */
  readonly minLength?: number;
  /** The user who sends it. */
  readonly sender?: Caller;
  /** Whether it is known that the rest will not arrive. */
  readonly isGone?: () => boolean;
}
