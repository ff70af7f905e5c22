import express, { type Request, type RequestHandler, type Response } from 'express';
import { PlatformError } from '../../errors/platform-error.js';
import { quoteForMessage } from '../../../lib/text.js';
import { BODY_LIMITS } from '../../http-limits.js';
import { countText } from '../../../lib/amounts.js';

/** Keyed by the maximum number of bytes, compressed and decompressed; only a few limits are in use. */
const readers = new Map<number, RequestHandler>();
const UTF8 = new TextDecoder('utf-8', { fatal: true });
const FORM_TYPE = 'application/x-www-form-urlencoded';
/** Whitespace, or an empty object surrounded by it. */
const EMPTY = /^\s*(\{\s*\})?\s*$/;
const JSON_TYPES = ['application/json', 'application/*+json'];

export const hasBody = (request: Request): boolean =>
  request.headers['transfer-encoding'] !== undefined || announcedLength(request) > 0;

/** Reads and parses a JSON body. An empty one reads as `undefined`. */
export async function readJsonBody(
  request: Request,
  response: Response,
  limit: number = BODY_LIMITS.json,
): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  const type = request.headers['content-type'];
  if (request.is(JSON_TYPES) === false) throw notJson(type);
  requireUtf8(type);
  return jsonOf(await readBytes(request, response, limit));
}

const notJson = (type = ''): PlatformError =>
  new PlatformError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Content-Type: must be application/json, ${type === '' ? 'and is missing' : `not ${quoteForMessage(type)}`}`,
  );

/** Whether the body is empty or `{}`. One that is declared as longer is not, and is left unread. */
export async function isEmptyBody(request: Request, response: Response): Promise<boolean> {
  const { 'transfer-encoding': chunked, 'content-encoding': packed } = request.headers;
  if (chunked !== undefined || packed !== undefined) return false;
  if (announcedLength(request) > BODY_LIMITS.empty) return false;
  return EMPTY.test((await readBytes(request, response, BODY_LIMITS.empty)).toString('latin1'));
}

function readerOf(limit: number): RequestHandler {
  const reader = readers.get(limit) ?? express.raw({ type: () => true, limit });
  readers.set(limit, reader);
  return reader;
}

/** Reads a whole body of at most `limit` bytes. A body declared as longer is left unread. */
export async function readBytes(request: Request, response: Response, limit: number): Promise<Buffer> {
  if (announcedLength(request) > limit) throw bodyTooLarge(limit);
  await new Promise<void>((resolve, reject) => {
    const deadline = setTimeout(() => reject(tooSlow()), BODY_LIMITS.readMs);
    readerOf(limit)(request, response, (error?: unknown) => {
      clearTimeout(deadline);
      if (error) reject(bodyError(error, limit));
      else resolve();
    });
  });
  const bytes: unknown = request.body;
  return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
}

/** Closes the connection, as the rest of the body is still unread. */
const tooSlow = (): PlatformError =>
  new PlatformError('REQUEST_TIMEOUT', 'The request body arrived too slowly.', {
    headers: { Connection: 'close' },
  });

/** Reads a UTF-8 text body. */
export async function readTextBody(
  request: Request,
  response: Response,
  limit: number = BODY_LIMITS.json,
): Promise<string> {
  requireUtf8(request.headers['content-type']);
  return textOf(await readBytes(request, response, limit));
}

/** Reads the fields of a form submitted by a browser, without an API key. */
export async function readForm(request: Request, response: Response): Promise<URLSearchParams> {
  if (request.is(FORM_TYPE) !== FORM_TYPE)
    throw new PlatformError('UNSUPPORTED_MEDIA_TYPE', `Send the form as ${FORM_TYPE}.`);
  return new URLSearchParams(await readTextBody(request, response, BODY_LIMITS.public));
}

const announcedLength = (request: Request): number => Number(request.headers['content-length'] ?? 0);

/** The text that the bytes are in UTF-8. */
export function textOf(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new PlatformError('VALIDATION_ERROR', 'body: not valid UTF-8; send text in the encoding UTF-8');
  }
}

/** The value that the bytes are in JSON; `undefined` if there are none. */
export function jsonOf(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  requireSmallJson(bytes);
  const text = textOf(bytes);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = (error as Error).message.slice(0, 200).toWellFormed();
    throw new PlatformError('VALIDATION_ERROR', `body: malformed JSON (${reason})`);
  }
}

/** Throws if the type names another encoding than UTF-8. */
export function requireUtf8(contentType: string | undefined): void {
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return;
  throw new PlatformError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Content-Type: the charset ${quoteForMessage(charset)} is not taken; send text in UTF-8, and utf-8 or nothing as its charset`,
  );
}

export const bodyTooLarge = (limit: number): PlatformError =>
  new PlatformError('PAYLOAD_TOO_LARGE', `The request body is larger than ${limit} bytes.`);

/** Maps errors of the body reader to the contract's error codes. */
function bodyError(error: unknown, limit: number): unknown {
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return bodyTooLarge(limit);
  if (type === 'encoding.unsupported')
    return new PlatformError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Content-Encoding: must be gzip, deflate, br or identity',
    );
  if (status !== undefined && status >= 400 && status < 500)
    return new PlatformError(
      'VALIDATION_ERROR',
      'body: does not match its Content-Length or Content-Encoding header',
    );
  return error;
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Rejects JSON that would be expensive to parse: `JSON.parse` accepts megabytes of brackets, and validation visits
 * every value. Counts only brackets and commas outside strings, in one pass over the bytes; validity is left to
 * `JSON.parse`, which stops at the first error.
 */
export function requireSmallJson(bytes: Uint8Array): void {
  let [depth, values] = [0, 1];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = closingQuote(bytes, at);
    } else if (byte === COMMA) {
      values += 1;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      values += 1;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth -= 1;
    } else {
      continue;
    }
    if (depth > BODY_LIMITS.jsonDepth) throw refused(`nested more than ${BODY_LIMITS.jsonDepth} levels deep`);
    if (values > BODY_LIMITS.jsonValues)
      throw refused(`contains more than ${countText(BODY_LIMITS.jsonValues)} values`);
  }
}

/** Index of the quote that closes a string, or the end of the bytes. */
function closingQuote(bytes: Uint8Array, opening: number): number {
  let at = opening + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

const refused = (reason: string): PlatformError => new PlatformError('VALIDATION_ERROR', `body: ${reason}`);
