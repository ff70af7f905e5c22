import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Response } from 'express';
import { RepliesWith } from './reply-headers.js';

/** Smaller replies fit into one packet anyway. */
const LEAST = 1_024;

/**
 * The encodings in order of preference, each with the most bytes that it compresses within 5 % of what the request
 * costs without it (docs/decisions/0007-http-contract.md). Synchronously: at these sizes, handing the work to a thread
 * costs more than the work.
 */
const ENCODINGS = [
  {
    name: 'br',
    most: 65_536,
    encode: (bytes: Buffer) =>
      brotliCompressSync(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MIN_QUALITY },
      }),
  },
  {
    name: 'gzip',
    most: 16_384,
    encode: (bytes: Buffer) => gzipSync(bytes, { level: constants.Z_BEST_SPEED }),
  },
] as const;

/** Returns the bytes to send, and sets the headers that say how to read them. */
export function compress(response: Response, json: string | Buffer): string | Buffer {
  response.vary('Accept-Encoding');
  const length = Buffer.byteLength(json);
  if (length < LEAST) return json;
  const fitting = ENCODINGS.filter(({ most }) => length <= most);
  const chosen = fitting.find(({ name }) => response.req.acceptsEncodings(name) === name);
  if (!chosen) return json;
  response.setHeader('Content-Encoding', chosen.name);
  return chosen.encode(Buffer.from(json));
}

/**
 * Marks operations whose JSON holds no secret, that is, no key, token or signed URL: from the length of a compressed
 * reply, those who can put text into it could guess a secret next to it (BREACH).
 */
export const Compresses = (): MethodDecorator => RepliesWith({ compressed: true });
