import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { countCores } from '../runtime/cores.js';
import { FairQueue } from '../work/fair-queue.js';

const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** OWASP's recommendation for scrypt with 32 MiB of memory; takes about a quarter of a second. */
export const PASSWORD_COST = { N: 2 ** 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** Twice what `PASSWORD_COST` needs; Node's default of 32 MiB is slightly too low. */
const MAX_MEMORY = 64 * 1024 * 1024;
/** `scrypt$N$r$p$salt$key`: hashes with a different cost remain valid. */
const HASH = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]{22})\$([\w-]{43})$/;

/** Returns the hash to store for a password; `user` is the id of the user who sets it. */
export async function hashPassword(user: string, password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await deriveFor(`user:${user}`, password, salt, PASSWORD_COST);
  const { N, r, p } = PASSWORD_COST;
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Returns whether the password matches `hash`; `subject` is the id of the resource it protects. */
export async function verifyPassword(subject: string, password: string, hash: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = HASH.exec(hash) ?? malformed();
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const expected = Buffer.from(key, 'base64url');
  const given = await deriveFor(`subject:${subject}`, password, Buffer.from(salt, 'base64url'), cost);
  return timingSafeEqual(given, expected);
}

/** Does not include the hash, as the message is logged. */
function malformed(): never {
  throw new Error('A stored password hash is malformed: it is not scrypt$N$r$p$salt$key.');
}

/** Half of the cores; the rest is left for other requests. */
const AT_ONCE = Math.min(2, Math.max(1, Math.floor(countCores() / 2)));

/**
 * Each hash takes 32 MiB and one of the four libuv threads that also read files. Requests that set passwords queue
 * by user, requests that enter them by subject: nobody makes others wait for more than one hash.
 */
const QUEUE = new FairQueue({ atOnce: AT_ONCE, waiting: 100, waitingEach: 10 });

/** Keyboards differ in how they encode é; normalizing to NFC makes them equal. */
const deriveFor = (
  queued: string,
  password: string,
  salt: Buffer,
  cost: typeof PASSWORD_COST,
): Promise<Buffer> =>
  QUEUE.run(queued, () =>
    deriveKey(password.normalize('NFC'), salt, KEY_BYTES, { ...cost, maxmem: MAX_MEMORY }),
  );
