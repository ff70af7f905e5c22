import { ConflictError } from './error-classes.js';
import { ApiError, InvalidReplyError, RecordingFailedError } from './errors.js';
import { sleep } from './limits.js';
import { delayAfter } from './retries.js';
import { sourceOf, type OpenSource, type Source } from './sources.js';
import type { Call, Transport } from './transport.js';
import type { CallOptions, Schemas } from './types.js';

const MIB = 1024 * 1024;
/** One takes about a second: so often progress is shown, and so little is sent again after a broken connection. */
const PIECE = { first: MIB, smallest: MIB / 4, largest: 8 * MIB, ms: 1_000 };
const PIECE_TIMEOUT_MS = 300_000;

/** An upload that has begun. Keep it to continue even after the program has ended. */
export interface BegunUpload {
  readonly id: string;
  readonly upload_url: string;
}

/** Of an upload, in bytes. */
export interface Progress {
  /** Stored by the service. */
  readonly sent: number;
  /** Null for a stream without `size`. */
  readonly total: number | null;
}

/** The fields of the new recording, and how to upload. `title` is by default the name of the file. */
export interface UploadOptions
  extends CallOptions, Partial<Omit<Schemas['CreateRecordingRequest'], 'media' | 'source_url'>> {
  /** Adds or replaces the media of this recording, instead of creating one. */
  readonly recording?: string | undefined;
  /** New for each upload by default. Give one, and what it begins is begun once, even if `onBegin` was never called. */
  readonly idempotencyKey?: string | undefined;
  /** Called once the service expects the file, with what `resume` takes; also if `signal` aborts meanwhile. */
  readonly onBegin?: ((upload: BegunUpload) => void) | undefined;
  /** Continues this upload, with the same source from its start. */
  readonly resume?: BegunUpload | undefined;
  /** Called about once a second. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Uploads a file in pieces; returns the id of its recording. After a broken connection, it continues where it was. */
export async function upload(transport: Transport, given: Source, options: UploadOptions): Promise<string> {
  const {
    signal,
    retries,
    timeout = PIECE_TIMEOUT_MS,
    recording,
    idempotencyKey,
    resume,
    onBegin,
    onProgress,
    ...fields
  } = options;
  const source = sourceOf(given);
  const total = fields.size ?? source.size;
  try {
    const body = {
      ...(source.name && !recording && { title: source.name }),
      ...fields,
      ...(total !== null && { size: total }),
    };
    signal?.throwIfAborted();
    // Not ended by the signal: the caller would not learn what the service has created.
    const begun = resume ?? (await begin(transport, recording, { retries, idempotencyKey, body }));
    if (!resume) onBegin?.(begun);
    signal?.throwIfAborted();
    const sender = new Sender(transport, begun, { signal, retries, timeout });
    const report = (sent: number): void => onProgress?.({ sent, total });
    await sendAll(sender, source, { total, report, offset: resume ? await sender.ask() : 0 });
    return begun.id;
  } finally {
    await source.close();
  }
}

async function begin(transport: Transport, recording: string | undefined, call: Call): Promise<BegunUpload> {
  const { data } = recording
    ? await transport.call('post', '/recordings/{id}/upload', { ...call, path: { id: recording } })
    : await transport.call('post', '/recordings', call);
  const { id = recording, upload_url } = (data as { data: { id?: string; upload_url: string } }).data;
  return { id: String(id), upload_url };
}

interface Way {
  readonly total: number | null;
  readonly report: (sent: number) => void;
  /** Null if all has arrived already. */
  offset: number | null;
}

/** Piece by piece, until the service has all of it. */
async function sendAll(sender: Sender, source: OpenSource, { total, report, offset }: Way): Promise<void> {
  let size = PIECE.first;
  for (let failures = 0; offset !== null;) {
    const begun = performance.now();
    const piece = await source.read(offset, size);
    const isEnd = piece.size === 0;
    if (isEnd && total !== null) {
      if (offset < total) throw new Error(`The source ended after ${offset} of ${total} bytes`);
      return;
    }
    try {
      // The end of a stream is when its length is known.
      offset = await sender.send(piece, offset, isEnd ? { 'Upload-Length': String(offset) } : {});
      report(offset);
      if (isEnd) return;
      failures = 0;
      const isFast = performance.now() - begun < PIECE.ms;
      size = isFast ? Math.min(size * 2, PIECE.largest) : Math.max(size / 2, PIECE.smallest);
    } catch (error) {
      failures += 1;
      await sender.wait(error, failures);
      const stored = await sender.ask();
      if (stored !== null && stored > offset) failures = 0;
      offset = stored;
    }
  }
}

/** Sends to one upload, as tus 1.0 specifies. Its URL is that of the service: the key goes nowhere else. */
class Sender {
  readonly #path: { readonly id: string };

  constructor(
    private readonly transport: Transport,
    private readonly begun: BegunUpload,
    private readonly call: CallOptions,
  ) {
    this.#path = { id: decodeURIComponent(new URL(begun.upload_url).pathname.split('/').at(-1) ?? '') };
  }

  /** Returns how much is stored then. */
  async send(piece: Blob, offset: number, more: object): Promise<number> {
    const { response } = await this.transport.call(
      'patch',
      '/uploads/{id}',
      {
        ...this.call,
        retries: 0,
        path: this.#path,
        header: { 'Tus-Resumable': '1.0.0', 'Upload-Offset': String(offset), ...more },
        body: piece,
        contentType: 'application/offset+octet-stream',
      },
      'nothing',
    );
    const stored = offsetOf(response);
    if (piece.size > 0 && stored <= offset)
      throw new InvalidReplyError(response.status, 'Nothing was stored');
    return stored;
  }

  /** How much is stored; null if that is all. */
  async ask(): Promise<number | null> {
    const path = this.#path;
    const header = { 'Tus-Resumable': '1.0.0' };
    try {
      const { response } = await this.transport.call(
        'head',
        '/uploads/{id}',
        { ...this.call, path, header },
        'nothing',
      );
      const offset = offsetOf(response);
      return response.headers.get('upload-length') === String(offset) ? null : offset;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
    }
    await this.#requireMedia();
    return null;
  }

  /** Rejects with the error unless the upload can go on after it. */
  async wait(error: unknown, failures: number): Promise<void> {
    const { signal, retries = this.transport.retries } = this.call;
    const delay = error instanceof ConflictError ? 0 : delayAfter(error, failures, true);
    if (delay === null || failures > retries || signal?.aborted) throw error;
    await sleep(delay, signal);
  }

  /** An upload that is no longer there has been used, refused or canceled. */
  async #requireMedia(): Promise<void> {
    const call = { ...this.call, path: { id: this.begun.id } };
    const reply = await this.transport.call('get', '/recordings/{id}', call);
    const { data: recording } = reply.data as { data: Schemas['RecordingDetail'] };
    if (recording.status === 'ERROR') {
      throw new RecordingFailedError(recording, recording.statusReason ?? 'The upload failed');
    }
  }
}

function offsetOf({ status, headers }: Response): number {
  const offset = headers.get('upload-offset');
  if (offset === null) throw new InvalidReplyError(status, 'The reply does not say how much is stored');
  return Number(offset);
}
