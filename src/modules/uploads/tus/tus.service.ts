import { Inject, Injectable } from '@nestjs/common';
import { parse } from 'content-type';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { DomainError } from '../../../contract/domain-error.js';
import { EXPOSED_HEADERS } from '../../../platform/http/replies/exposed-headers.js';
import { newId } from '../../../platform/ids.js';
import type { Caller } from '../../../policy/caller.js';
import { RecordingAccessService } from '../../recordings/access/recording-access.service.js';
import { tidied } from './tus-metadata.js';
import { refusal, TusStore } from './tus-store.js';
import { UploadCreationService } from '../upload-creation.service.js';
import { UploadLocker } from './upload-locker.js';
import { UploadReceiverService } from '../upload-receiver.service.js';
import { UploadsService } from '../uploads.service.js';

/** How long a request may take to store what it has when another one for the same upload interrupts it. */
const DRAIN_MS = 1;

const SENDS_BYTES = new Set(['PATCH', 'POST']);
/** The claim of any other request. */
const NO_CLAIM = 0;

const VERSION = '1.0.0';
const BYTES = 'application/offset+octet-stream';

/** Resumable uploads with tus 1.0, for callers who may change the recording. */
@Injectable()
export class TusService {
  private readonly locker = new UploadLocker();

  constructor(
    private readonly access: RecordingAccessService,
    readonly creation: UploadCreationService,
    readonly uploads: UploadsService,
    readonly receiver: UploadReceiverService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Handles one request; OPTIONS needs no caller. */
  async handle(request: Request & { readonly caller?: Caller }, response: Response): Promise<void> {
    const { caller } = request;
    // URLs are built from PUBLIC_URL; a proxy's idea of the protocol must not make the request invalid.
    delete request.headers['x-forwarded-proto'];
    response.setHeader('Tus-Resumable', VERSION);
    requireVersion(request, response);
    requireBytes(request);
    tidyMetadata(request);
    const claim = SENDS_BYTES.has(request.method) ? await this.uploads.claim() : NO_CLAIM;
    const locker = this.locker.forRequest(request);
    const store = new TusStore({ caller, request, response, claim, locker }, this);
    const { TusProtocol } = await import('./tus-protocol.js');
    const tus = new TusProtocol({
      path: '/api/v1/uploads',
      datastore: store,
      locker,
      lockDrainTimeout: DRAIN_MS,
      maxSize: this.settings.maxUploadSize,
      // Allowed origins are configured for the whole API, by `CORS_ORIGINS`. The library adds headers that it names
      // itself.
      allowedOrigins: [],
      exposedHeaders: EXPOSED_HEADERS,
      namingFunction: () => newId(),
      getFileIdFromRequest: () => request.params['id'] as string | undefined,
      generateUrl: (_request, { id }) => this.uploads.url(id),
      onIncomingRequest: async ({ headers }, id) => {
        // A creation has no recording yet; `UploadCreationService` checks access.
        if (caller && request.method !== 'POST')
          await this.access.requireEdit(caller, await this.uploads.recordingOf(id));
        if (request.method !== 'PATCH') return;
        const { size } = await store.getUpload(id);
        // tus-js-client retries a broken request with the length in it, which the library would take for a change.
        if (headers.get('upload-length') === String(size)) headers.delete('upload-length');
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
}

/** `@tus/server` reads headers as they arrived; `request.get` still returns what was sent. */
function tidyMetadata({ rawHeaders }: Request): void {
  for (const [at, name] of rawHeaders.entries()) {
    if (at % 2 === 0 && name.toLowerCase() === 'upload-metadata')
      rawHeaders[at + 1] = tidied(rawHeaders[at + 1] ?? '');
  }
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

/** A form would be stored with its boundaries, or ignored. `PATCH` takes no other type than its own (tus 1.0). */
function requireBytes(request: Request): void {
  const { type } = parse(request.get('Content-Type') ?? '');
  if (type === BYTES || !(request.method === 'PATCH' || type.startsWith('multipart/'))) return;
  throw new DomainError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Content-Type: must be ${BYTES}, with bytes of the file as the body; a form is taken by PUT /recordings/{id}/media`,
  );
}
