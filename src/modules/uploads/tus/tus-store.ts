import type { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload as TusUpload } from '@tus/utils';
import type { Request, Response } from 'express';
import { DomainError, required } from '../../../contract/domain-error.js';
import type { ErrorCode } from '../../../contract/error-catalog.js';
import { contentLength } from '../../../platform/http/bodies/sent-file.js';
import type { Caller } from '../../../policy/caller.js';
import type { Upload } from '../entities/upload.entity.js';
import { recordingOf } from './tus-metadata.js';
import type { UploadCreationService } from '../upload-creation.service.js';
import type { RequestLocker } from './upload-locker.js';
import type { UploadReceiverService } from '../upload-receiver.service.js';
import { offsetMismatch, requireFromClient, superseded } from '../upload-refusals.js';
import type { UploadsService } from '../uploads.service.js';

/** The protocol's statuses as error codes of the contract. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'VALIDATION_ERROR',
  403: 'VALIDATION_ERROR',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  410: 'NOT_FOUND',
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  // An extension that this server does not support.
  501: 'VALIDATION_ERROR',
};

/** Messages of `@tus/server` that do not say what to send. */
const CLEARER: Readonly<Record<string, string>> = {
  'Upload-Offset conflict': 'Upload-Offset: must be the number of bytes received so far; HEAD returns it',
  'Invalid upload-metadata':
    'Upload-Metadata: must be names, each with a blank and its value in Base64, separated by commas, such as title d2Vla2x5',
};

const TOO_LARGE = 413;

export interface TusRequest {
  /** Undefined for OPTIONS, which needs none. */
  readonly caller: Caller | undefined;
  readonly request: Request;
  readonly response: Response;
  readonly claim: number;
  readonly locker: RequestLocker;
}

interface TusServices {
  readonly creation: UploadCreationService;
  readonly uploads: UploadsService;
  readonly receiver: UploadReceiverService;
}

/** Uploads as `@tus/server` sees them; created per request, because it acts for one caller. */
export class TusStore extends DataStore {
  override extensions = ['creation', 'creation-with-upload', 'creation-defer-length', 'termination'];

  /** Why the bytes were refused; `@tus/server` itself would report it as an interrupted request. */
  failure: unknown;

  constructor(
    private readonly sent: TusRequest,
    private readonly services: TusServices,
  ) {
    super();
  }

  override async create(upload: TusUpload): Promise<TusUpload> {
    const { request } = this.sent;
    const caller = required(this.sent.caller, 'UNAUTHORIZED');
    const tusMetadata = request.get('Upload-Metadata');
    await this.services.creation.create(caller, { ...recordingOf(upload), tusMetadata }, upload.id);
    return asTus(await this.services.uploads.find(upload.id), upload.metadata);
  }

  override async getUpload(id: string): Promise<TusUpload> {
    const { request, response } = this.sent;
    const upload = await this.services.uploads.find(id);
    // Not by `@tus/server`, which would encode it anew.
    if (request.method === 'HEAD' && upload.metadata !== null)
      response.setHeader('Upload-Metadata', upload.metadata);
    if (request.method === 'PATCH') requireFromClient(upload);
    return asTus(upload);
  }

  /** `offset` is what the client sent; another process may have appended since `@tus/server` compared it. */
  override async write(content: Readable, id: string, offset: number): Promise<number> {
    const { request, locker } = this.sent;
    const length = contentLength(request);
    try {
      const upload = await this.begin(id);
      // The client may have reconnected before this request got the lock.
      if (request.readableAborted) throw superseded();
      if (upload.received !== offset) throw offsetMismatch(upload);
      // Giving up must not destroy the stream: `@tus/server` would see it end before learning why.
      const bytes: AsyncIterable<Uint8Array> = content.iterator({ destroyOnReturn: false });
      const arriving = unlessSuperseded(bytes, locker, length);
      return (await this.services.receiver.receive(upload, arriving, length)).received;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  override async declareUploadLength(id: string, size: number): Promise<void> {
    await this.services.uploads.declareSize(await this.begin(id), size);
  }

  override async remove(id: string): Promise<void> {
    const { uploads } = this.services;
    await uploads.cancel(await uploads.find(id), required(this.sent.caller, 'UNAUTHORIZED'));
  }

  private begin(id: string): Promise<Upload> {
    return this.services.uploads.begin(id, this.sent.claim, this.sent.caller);
  }
}

function asTus({ recordingId, size, received }: Upload, metadata?: TusUpload['metadata']): TusUpload {
  return new TusUpload({ id: recordingId, size: size ?? undefined, offset: received, metadata });
}

/**
 * The bytes of a request, which fails if a later one ended it before all `length` of them: that one sends them again.
 */
async function* unlessSuperseded(
  content: AsyncIterable<Uint8Array>,
  locker: RequestLocker,
  length: number | undefined,
): AsyncIterable<Uint8Array> {
  let taken = 0;
  try {
    for await (const chunk of content) {
      if (locker.isSuperseded()) break;
      taken += chunk.length;
      yield chunk;
    }
  } catch (error) {
    // Beyond the declared size: no broken connection, after which everything that arrived would be kept.
    throw (error as { status_code?: number }).status_code === TOO_LARGE ? refusal(error) : error;
  }
  if (locker.isSuperseded() && taken !== length) throw superseded();
}

/** An error of `@tus/server` as one of the contract. */
export function refusal(error: unknown): unknown {
  // `@tus/server` answers 400, after which clients would not retry.
  if (error === ERRORS.ABORTED) return superseded();
  const { status_code: status, body } = error as { status_code?: number; body?: string };
  const code = status === undefined ? undefined : CODES[status];
  const message = body?.trim() ?? '';
  return code ? new DomainError(code, CLEARER[message] ?? (message || undefined)) : error;
}
