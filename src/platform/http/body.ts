import express, { type Request, type RequestHandler, type Response } from 'express';
import { PlatformError } from '../errors/platform-error.js';
import { BODY_LIMITS } from './body-limits.js';
import { requireSmallJson } from './json-limits.js';

/** By the most bytes that each reads, as sent and decompressed; there are a few limits in all. */
const readers = new Map<number, RequestHandler>();
/** A body that takes longer is given up. */
const DEADLINE_MS = 60_000;
const UTF8 = new TextDecoder('utf-8', { fatal: true });
const FORM_TYPE = 'application/x-www-form-urlencoded';
/** Blanks, or an empty object between them. */
const EMPTY = /^\s*(\{\s*\})?\s*$/;
const JSON_TYPES = ['application/json', 'application/*+json'];

/** Whether the request announces a body. */
export function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || announcedLength(request) > 0;
}

/** Reads and parses a JSON body. An empty one reads as `undefined`. */
export async function readJsonBody(
  request: Request,
  response: Response,
  limit: number = BODY_LIMITS.json,
): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  if (request.is(JSON_TYPES) === false || !isUtf8(request)) throw new PlatformError('UNSUPPORTED_MEDIA_TYPE');
  const bytes = await readBytes(request, response, limit);
  return bytes.length === 0 ? undefined : parse(bytes);
}

/**
 * Whether the body holds nothing: an empty object at most. Reads it only when its announced length is so small that it can
 * hold nothing else of interest; any other body counts as holding something, and is left unread.
 */
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

/** Reads a whole body of at most `limit` bytes. One that is announced as longer is left unread. */
export async function readBytes(request: Request, response: Response, limit: number): Promise<Buffer> {
  if (announcedLength(request) > limit) throw tooLarge(limit);
  await new Promise<void>((resolve, reject) => {
    const deadline = setTimeout(() => reject(tooSlow()), DEADLINE_MS);
    readerOf(limit)(request, response, (error?: unknown) => {
      clearTimeout(deadline);
      if (error) reject(bodyError(error, limit));
      else resolve();
    });
  });
  const bytes: unknown = request.body;
  return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
}

/** The connection ends with it: nobody knows what the rest of the body would be taken for. */
const tooSlow = (): PlatformError =>
  new PlatformError('REQUEST_TIMEOUT', undefined, { headers: { Connection: 'close' } });

/** Reads a body of text in UTF-8. */
export async function readTextBody(
  request: Request,
  response: Response,
  limit: number = BODY_LIMITS.json,
): Promise<string> {
  if (!isUtf8(request)) throw new PlatformError('UNSUPPORTED_MEDIA_TYPE', 'Content-Type: must be in UTF-8');
  return decode(await readBytes(request, response, limit));
}

/** Reads the fields of a form as browsers send it, without an API key. */
export async function readForm(request: Request, response: Response): Promise<URLSearchParams> {
  if (request.is(FORM_TYPE) !== FORM_TYPE) {
    throw new PlatformError('UNSUPPORTED_MEDIA_TYPE', `Send the form as ${FORM_TYPE}.`);
  }
  return new URLSearchParams(await readTextBody(request, response, BODY_LIMITS.public));
}

function announcedLength(request: Request): number {
  return Number(request.headers['content-length'] ?? 0);
}

function decode(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new PlatformError('VALIDATION_ERROR', 'body: not valid UTF-8');
  }
}

function parse(bytes: Buffer): unknown {
  requireSmallJson(bytes);
  const text = decode(bytes);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = (error as Error).message.slice(0, 200).toWellFormed();
    throw new PlatformError('VALIDATION_ERROR', `body: malformed JSON (${reason})`);
  }
}

function isUtf8(request: Request): boolean {
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

const tooLarge = (limit: number): PlatformError =>
  new PlatformError('PAYLOAD_TOO_LARGE', `The request body is larger than ${limit} bytes.`);

/** What the body reader reports, in the codes of the contract. */
function bodyError(error: unknown, limit: number): unknown {
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return tooLarge(limit);
  if (type === 'encoding.unsupported') {
    return new PlatformError('UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding: must be gzip, deflate, br or none');
  }
  if (status !== undefined && status >= 400 && status < 500) {
    return new PlatformError('VALIDATION_ERROR', 'body: could not be read as announced by its headers');
  }
  return error;
}
