import { hash, randomBytes } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** SHA-256 of a random secret, stored in its place. Passwords, which are guessable, need a slow hash instead. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** Random characters of base62; 43 hold 256 bits. */
export const randomBase62 = (length = 43): string =>
  base62(BigInt(`0x${randomBytes(32).toString('hex')}`), length);

/** The last `length` digits of a number in base62. */
export function base62(number: bigint, length: number): string {
  let rest = number;
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text = BASE62.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}

/** 192 random bits, URL-safe. */
export const randomToken = (): string => randomBytes(24).toString('base64url');
