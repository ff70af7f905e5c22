import type { IncomingMessage } from 'node:http';
import { PlatformError } from '../errors/platform-error.js';
import { IDEMPOTENCY_LIMITS } from '../http-limits.js';

const HEADER = 'idempotency-key';
/** A string as in RFC 9651, which the IETF draft of the header requires. */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;
const VISIBLE = /^[\x21-\x7E]+$/;

/** The key of an `Idempotency-Key` header; `"a"` and `a` are the same. 400 `VALIDATION_ERROR` if malformed. */
export function readIdempotencyKey({ headers, headersDistinct }: IncomingMessage): string | undefined {
  if (headers[HEADER] === undefined) return undefined;
  const [given = '', ...others] = headersDistinct[HEADER] ?? [];
  if (others.length > 0) throw refusal('must be sent only once');
  const key = given.startsWith('"') ? QUOTED.exec(given)?.[1]?.replaceAll(/\\(.)/g, '$1') : given;
  if (key === undefined || !VISIBLE.test(key) || key.length > IDEMPOTENCY_LIMITS.keyLength)
    throw refusal(
      `must be 1 to ${IDEMPOTENCY_LIMITS.keyLength} visible ASCII characters without spaces, such as a UUID, with or without double quotes around them`,
    );
  return key;
}

const refusal = (reason: string): PlatformError =>
  new PlatformError('VALIDATION_ERROR', `Idempotency-Key: ${reason}`);
