import { crc32 } from 'node:zlib';
import { base62, randomBase62 } from '../platform/secrets/secrets.js';
import { rangeText } from '../lib/amounts.js';

/*
 * `mrs_z1`, 35 random characters of base62, and 6 of their checksum: as long as the 43 random characters of 1.0.0, of
 * which none begins with z, as 256 bits do not reach that far.
 */
const MARK = 'mrs_z1';
const RANDOM = 35;
export const CHECKSUM = 6;
/** Characters after `mrs_` of 1.0.0 and of imported keys. */
export const API_KEY_LENGTH = { min: 20, max: 60 } as const;

/** The keys that this version issues, for secret scanners. */
export const API_KEY_PATTERN = `${MARK}[0-9A-Za-z]{${RANDOM + CHECKSUM}}`;

const ISSUED = new RegExp(`^${API_KEY_PATTERN}$`);

/** All keys: also those of 1.0.0, and imported ones. */
export const ANY_API_KEY = new RegExp(`^mrs_[0-9A-Za-z]{${API_KEY_LENGTH.min},${API_KEY_LENGTH.max}}$`);
export const API_KEY_RULE = `mrs_ followed by ${rangeText(API_KEY_LENGTH)} letters and digits`;

/** Returns a new random key: 208 random bits. */
export function newApiKey(): string {
  const text = MARK + randomBase62(RANDOM);
  return text + checksum(text);
}

/** What is wrong with a text that cannot be a key; null if it may be one, which the database knows. */
export function apiKeyMistake(text: string): string | null {
  if (!ANY_API_KEY.test(text)) return `An API key is ${API_KEY_RULE}.`;
  if (!text.startsWith(MARK)) return null;
  if (ISSUED.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM)))) return null;
  return `The API key is mistyped or incomplete: its last ${CHECKSUM} characters do not match the others.`;
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECKSUM);
