import { Inject, Injectable } from '@nestjs/common';
import { Server as TusProtocol } from '@tus/server';
import { ERRORS, type Upload as TusUpload } from '@tus/utils';
import { parse } from 'content-type';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { DomainError } from '../../contract/domain-error.js';
import type { ErrorCode } from '../../contract/error-catalog.js';
import { EXPOSED_HEADERS } from '../../platform/http/exposed-headers.js';
import { contentLength } from '../../platform/http/file-body.js';
import { newId } from '../../platform/ids.js';
import type { Caller } from '../../policy/caller.js';
import { RecordingAccessService } from '../recording-access/recording-access.service.js';
import { Checksum, CHECKSUM_ALGORITHMS } from './checksum.js';
import { recordingOf } from './tus-metadata.js';
import { TusStore, type TusActions } from './tus-store.js';
import { UploadCreationService } from './upload-creation.service.js';
import { UploadLocker, type RequestLocker } from './upload-locker.js';
import { UploadReceiverService } from './upload-receiver.service.js';
import { requireFromClient, superseded } from './upload-refusals.js';
import { UploadsService } from './uploads.service.js';

/** How long a request may take to store what it has when another one for the same upload interrupts it. */
const DRAIN_MS = 1;

const SENDS_BYTES = new Set(['PATCH', 'POST']);
/** For any other request. */
const NO_TURN = 0;

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

const TOO_LARGE = 413;

const VERSION = '1.0.0';
const BYTES = 'application/offset+octet-stream';

/** `@tus/server`, except that every refusal is thrown as a `DomainError`. */
class Tus extends TusProtocol {
  override write(...[context, headers, status, body]: Parameters<TusProtocol['write']>) {
    if (status >= 400) throw refusal({ status_code: status, body });
    return super.write(context, headers, status, body);
  }
}

interface TusRequest {
  readonly request: Request;
  readonly response: Response;
  readonly turn: number;
  readonly locker: RequestLocker;
}

/** Resumable uploads with tus 1.0, for callers who may change the recording. */
@Injectable()
export class TusService {
  private readonly locker = new UploadLocker();

  constructor(
    private readonly access: RecordingAccessService,
    private readonly creation: UploadCreationService,
    private readonly uploads: UploadsService,
    private readonly receiver: UploadReceiverService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Handles one request. `caller` is null for OPTIONS, which needs none. */
  async handle(caller: Caller | null, request: Request, response: Response): Promise<void> {
    // URLs are built from PUBLIC_URL; a proxy's idea of the protocol must not make the request invalid.
    delete request.headers['x-forwarded-proto'];
    response.setHeader('Tus-Resumable', VERSION);
    requireVersion(request, response);
    requireBytes(request);
    response.setHeader('Tus-Checksum-Algorithm', CHECKSUM_ALGORITHMS.join(','));
    const checksum = Checksum.from(request.get('Upload-Checksum'));
    const turn = SENDS_BYTES.has(request.method) ? await this.uploads.takeTurn() : NO_TURN;
    const locker = this.locker.of(request);
    const store = new TusStore(this.actions(caller, { request, response, turn, locker }), checksum);
    const tus = new Tus({
      path: '/api/v1/uploads',
      datastore: store,
      locker,
      lockDrainTimeout: DRAIN_MS,
      maxSize: this.settings.maxUploadSize,
      // Allowed origins are configured for the whole API, by `CORS_ORIGINS`. The library adds headers that it names itself.
      allowedOrigins: [],
      exposedHeaders: EXPOSED_HEADERS,
      namingFunction: () => newId(),
      getFileIdFromRequest: () => request.params['id'] as string | undefined,
      generateUrl: (_request, { id }) => this.uploads.url(id),
      onIncomingRequest: async ({ headers }, id) => {
        // A creation has no recording yet; `UploadCreationService` checks access.
        if (caller && request.method !== 'POST') await this.access.requireEdit(caller, id);
        if (request.method === 'PATCH') await this.ignoreRepeatedLength(headers, await store.getUpload(id));
      },
      onResponseError: (_request, error) => {
        throw refusal(request.errored ? error : (store.failure ?? error));
      },
    });
    await tus.handle(request, response).catch((error: unknown) => {
      drain(request);
      throw error;
    });
  }

  /** tus-js-client retries a broken request with the length in it, which `@tus/server` would take for a change. */
  private async ignoreRepeatedLength(headers: Headers, { size }: TusUpload): Promise<void> {
    const length = headers.get('upload-length');
    if (length === null) return;
    if (length === String(size)) headers.delete('upload-length');
  }

  private actions(caller: Caller | null, { request, response, turn, locker }: TusRequest): TusActions {
    const length = contentLength(request);
    return {
      create: async (upload: TusUpload) => {
        if (!caller) throw new DomainError('UNAUTHORIZED');
        const metadata = request.get('Upload-Metadata');
        await this.creation.create(caller, { ...recordingOf(upload), metadata }, upload.id);
        return this.uploads.find(upload.id);
      },
      find: async (id) => {
        const upload = await this.uploads.find(id);
        // Not by `@tus/server`, which would encode it anew.
        if (request.method === 'HEAD' && upload.metadata !== null)
          response.setHeader('Upload-Metadata', upload.metadata);
        if (request.method === 'PATCH') requireFromClient(upload);
        return upload;
      },
      begin: async (id) => {
        const upload = await this.uploads.begin(id, turn, caller ?? undefined);
        // The client may have reconnected before this request got the lock.
        if (request.readableAborted) throw superseded();
        return upload;
      },
      receive: (upload, content, checksum) =>
        this.receiver.receive(upload, unlessSuperseded(content, locker, length), { checksum, length }),
      declareSize: async (id, size) =>
        this.uploads.declareSize(await this.uploads.begin(id, turn, caller ?? undefined), size),
      cancel: async (id) => this.uploads.cancel(await this.uploads.find(id), caller ?? undefined),
    };
  }
}

/**
 * The bytes of a request, which fails if a later one ended it before it got all `length` of them. What it has not stored
 * by then is discarded: the later one sends it again, from the offset that its client got from `HEAD`.
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

/** Reads and discards the rest of a refused body, so that the client gets the reply and can reuse the connection. */
function drain(request: Request): void {
  // The listeners of the abandoned web stream would stop the flow.
  request.removeAllListeners('data');
  request.resume();
}

/** Other versions get 412, and the reply names the supported one (tus 1.0, `Tus-Resumable`). */
function requireVersion(request: Request, response: Response): void {
  if (request.method === 'OPTIONS' || request.get('Tus-Resumable') === VERSION) return;
  response.setHeader('Tus-Version', VERSION);
  throw new DomainError('PRECONDITION_FAILED', `Tus-Resumable: must be ${VERSION}`);
}

/**
 * A form would be stored with its boundaries, or ignored where the protocol lets clients send any type. `PATCH` takes no
 * other type than its own (tus 1.0).
 */
function requireBytes(request: Request): void {
  const { type } = parse(request.get('Content-Type') ?? '');
  if (type === BYTES || !(request.method === 'PATCH' || type.startsWith('multipart/'))) return;
  throw new DomainError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Content-Type: must be ${BYTES}, with bytes of the file as the body; a form is taken by PUT /recordings/{id}/media`,
  );
}

function refusal(error: unknown): unknown {
  // `@tus/server` answers 400, after which clients would not retry.
  if (error === ERRORS.ABORTED) return superseded();
  const { status_code: status, body } = error as { status_code?: number; body?: string };
  const code = status === undefined ? undefined : CODES[status];
  return code ? new DomainError(code, body?.trim() || undefined) : error;
}
