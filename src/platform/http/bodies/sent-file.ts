import { finished, PassThrough, type Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { parse } from 'content-type';
import type { Request, Response } from 'express';
import mime from 'mime';
import { PlatformError } from '../../errors/platform-error.js';
import { quoteForMessage } from '../../../lib/text.js';
import { bodyTooLarge, readBytes } from './body.js';
import { FORM_OVERHEAD, HOW_TO_SEND, OneFileForm, refusal, type FormFile } from './one-file-form.js';

/** A file that a request sends: as its body, or as the one file of a form, as HTML forms and `curl -F` do. */
export interface SentFile extends FormFile {
  readonly content: AsyncIterable<Uint8Array>;
  /** Bytes, if known beforehand. */
  readonly length: number | undefined;
  /** The same as far as it is known of a form. */
  readonly minLength: number | undefined;
}

/** The same, in memory. */
export interface ReadFile extends FormFile {
  readonly bytes: Buffer;
}

/** RFC 2046. Longer ones would make it expensive to look for them. */
const LONGEST_BOUNDARY = 70;
/** Bytes of a form that is in memory, after which other work may run. */
const SLICE = 256 * 1024;

/**
 * The file of a request of any size, which is read ahead from now on. The promise of a form resolves once its file
 * begins, and the last bytes of the file follow only when the form is complete and without anything else. Whoever stops
 * reading must call `forgetRest`.
 */
export function openFile(request: Request): () => Promise<SentFile> {
  const content = readAhead(request);
  return async () => {
    const length = contentLength(request);
    const boundary = boundaryOf(request);
    if (boundary === null) return { ...headersOf(request), content, length, minLength: length };
    requireUnpacked(request);
    const minLength = length === undefined ? undefined : Math.max(0, length - FORM_OVERHEAD);
    return { ...(await fileOfForm(content, boundary)), length: undefined, minLength };
  };
}

/** The file of a request, of 1 to `limit` bytes. */
export async function readFile(request: Request, response: Response, limit: number): Promise<ReadFile> {
  const boundary = boundaryOf(request);
  if (boundary === null) {
    const bytes = await readBytes(request, response, limit);
    return notEmpty({ ...headersOf(request), bytes });
  }
  const form = await readBytes(request, response, limit + FORM_OVERHEAD);
  const { content, ...file } = await fileOfForm(slicesOf(form), boundary);
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  if (bytes.length > limit) throw bodyTooLarge(limit);
  return notEmpty({ ...file, bytes });
}

function notEmpty(file: ReadFile): ReadFile {
  if (file.bytes.length === 0) throw refusal('the file is empty, or none was chosen');
  return file;
}

/** Which of the types a file has by its `Content-Type` or, as curl sends the same for most files, by its name. */
export function typeAmong<Type extends string>(
  types: readonly Type[],
  { contentType = '', fileName = '' }: FormFile,
): Type | null {
  const said = parse(contentType).type;
  const named = mime.getType(fileName);
  return types.find((type) => type === said || type === named) ?? null;
}

const headersOf = (request: Request): FormFile => ({
  contentType: request.get('Content-Type'),
  fileName: undefined,
});

/** Null if the body is the file itself. Throws if it is something with parts that cannot be taken. */
function boundaryOf(request: Request): string | null {
  const { type, parameters } = parse(request.get('Content-Type') ?? '');
  if (!type.startsWith('multipart/')) return null;
  if (type !== 'multipart/form-data')
    throw new PlatformError(
      'UNSUPPORTED_MEDIA_TYPE',
      `Content-Type: ${quoteForMessage(type)} is not taken; ${HOW_TO_SEND}`,
    );
  const { boundary = '' } = parameters;
  if (boundary !== '' && boundary.length <= LONGEST_BOUNDARY) return boundary;
  throw new PlatformError(
    'VALIDATION_ERROR',
    `Content-Type: multipart/form-data needs a boundary of 1 to ${LONGEST_BOUNDARY} characters; leave this header to the HTTP client, which knows the boundary`,
  );
}

function requireUnpacked(request: Request): void {
  const encoding = request.get('Content-Encoding') ?? 'identity';
  if (encoding.toLowerCase() === 'identity') return;
  throw new PlatformError(
    'UNSUPPORTED_MEDIA_TYPE',
    'Content-Encoding: a form with media must not be compressed',
  );
}

async function fileOfForm(
  bytes: AsyncIterable<Uint8Array>,
  boundary: string,
): Promise<FormFile & Pick<SentFile, 'content'>> {
  const form = new OneFileForm(boundary);
  const chunks = bytes[Symbol.asyncIterator]();
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    const first = form.add(next.value);
    if (form.file !== null) return { ...form.file, content: contentOf(form, chunks, first) };
  }
  await form.end();
  throw refusal('the form has no file');
}

async function* contentOf(
  form: OneFileForm,
  chunks: AsyncIterator<Uint8Array>,
  first: Uint8Array | null,
): AsyncIterable<Uint8Array> {
  let last = first;
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      const bytes = form.add(next.value);
      if (bytes === null) continue;
      if (last !== null) yield last;
      last = bytes;
    }
  } finally {
    await chunks.return?.();
  }
  await form.end();
  if (last !== null) yield last;
}

async function* slicesOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += SLICE) {
    yield bytes.subarray(start, start + SLICE);
    await setImmediate();
  }
}

/** About 1 MiB with the chunk sizes of a fast connection. */
const CHUNKS_AHEAD = 16;

/** The bytes of a request, read ahead up to a limit: else Node notices no closed connection. See `forgetRest`. */
export function readAhead(request: Readable): AsyncIterable<Uint8Array> {
  const ahead = new PassThrough({ objectMode: true, highWaterMark: CHUNKS_AHEAD });
  let lost: Error | null | undefined;
  finished(request, { writable: false }, (error) => {
    lost = error;
    // Deliver what has arrived before failing.
    if (lost) ahead.end();
  });
  request.pipe(ahead);
  return (async function* () {
    yield* ahead as AsyncIterable<Uint8Array>;
    if (lost) throw lost;
  })();
}

/** Discards the rest of the body, so that the reply can be sent and the connection reused. */
export function forgetRest(request: Readable): void {
  request.unpipe();
  request.resume();
}

/** Declared length of the body in bytes; undefined without a `Content-Length`. */
export function contentLength(request: Request): number | undefined {
  const announced = request.get('Content-Length');
  return announced === undefined ? undefined : Number(announced);
}
