import { PlatformError } from '../../errors/platform-error.js';
import { BODY_LIMITS } from './body-limits.js';

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
    if (values > BODY_LIMITS.jsonValues) throw refused(`contains more than ${BODY_LIMITS.jsonValues} values`);
  }
}

/** Index of the quote that closes a string, or the end of the bytes. */
function closingQuote(bytes: Uint8Array, opening: number): number {
  let at = opening + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

const refused = (reason: string): PlatformError => new PlatformError('VALIDATION_ERROR', `body: ${reason}`);
