import express, { type Request, type Response } from 'express';
import { DomainError } from '../errors/domain-error.js';
import { LIMITS } from '../limits.js';

const readRaw = express.raw({ type: () => true, limit: LIMITS.jsonBody });
/** A JSON body that takes longer is given up. */
const DEADLINE_MS = 60_000;
const UTF8 = new TextDecoder('utf-8', { fatal: true });
const JSON_TYPES = ['application/json', 'application/*+json'];

/** Whether the request announces a body. */
export function hasBody(request: Request): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Reads and parses a JSON body. An empty one reads as `undefined`. */
export async function readJsonBody(request: Request, response: Response): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  if (request.is(JSON_TYPES) === false || !isUtf8(request)) throw new DomainError('UNSUPPORTED_MEDIA_TYPE');
  await new Promise<void>((resolve, reject) => {
    const deadline = setTimeout(() => reject(tooSlow()), DEADLINE_MS);
    readRaw(request, response, (error?: unknown) => {
      clearTimeout(deadline);
      if (error) reject(bodyError(error));
      else resolve();
    });
  });
  const bytes: unknown = request.body;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined;
  return parse(bytes);
}

/** The connection ends with it: nobody knows what the rest of the body would be taken for. */
const tooSlow = (): DomainError =>
  new DomainError('REQUEST_TIMEOUT', undefined, { headers: { Connection: 'close' } });

function parse(bytes: Buffer): unknown {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw new DomainError('VALIDATION_ERROR', 'body: not valid UTF-8');
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = (error as Error).message.slice(0, 200).toWellFormed();
    throw new DomainError('VALIDATION_ERROR', `body: malformed JSON (${reason})`);
  }
}

function isUtf8(request: Request): boolean {
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

/** What the body reader reports, in the codes of the contract. */
function bodyError(error: unknown): unknown {
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') {
    return new DomainError('PAYLOAD_TOO_LARGE', `The request body is larger than ${LIMITS.jsonBody} bytes.`);
  }
  if (type === 'encoding.unsupported') {
    return new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding: must be gzip, deflate, br or none');
  }
  if (status !== undefined && status >= 400 && status < 500) {
    return new DomainError('VALIDATION_ERROR', 'body: could not be read as announced by its headers');
  }
  return error;
}
