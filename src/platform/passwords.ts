import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { FairQueue } from './work/fair-queue.js';

const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** What OWASP asks of scrypt in 32 MiB: about a quarter of a second. */
const COST = { N: 2 ** 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** Twice what `COST` needs; Node's default, 32 MiB, is a little too low for it. */
const MAX_MEMORY = 64 * 1024 * 1024;
/** `scrypt$N$r$p$salt$key`: hashes made with another cost stay good. */
const HASH = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]{22})\$([\w-]{43})$/;

/** What is stored of a password that `user`, an id, has chosen. */
export async function hashPassword(user: string, password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await keyOf(`user:${user}`, password, salt, COST);
  const { N, r, p } = COST;
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Whether it is the password that `hash` was made of; `subject` is the id of what it opens. */
export async function verifyPassword(subject: string, password: string, hash: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = HASH.exec(hash) ?? malformed();
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const expected = Buffer.from(key, 'base64url');
  const given = await keyOf(`subject:${subject}`, password, Buffer.from(salt, 'base64url'), cost);
  return timingSafeEqual(given, expected);
}

/** Never tells the hash: the message goes to the log. */
function malformed(): never {
  throw new Error('A stored password hash is malformed: it is not scrypt$N$r$p$salt$key.');
}

/** Half of the cores: the rest is for everybody else. */
const AT_ONCE = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));

/**
 * Each takes 32 MiB and one of the four threads that also read files. Requests that set
 * passwords take turns by user, requests that enter them by subject: none makes others wait longer than one turn.
 */
const QUEUE = new FairQueue({ atOnce: AT_ONCE, waiting: 100, waitingEach: 10 });

/** Keyboards differ in how they spell é; Unicode's composed form (NFC) is the same for all. */
function keyOf(turn: string, password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  return QUEUE.run(turn, () =>
    deriveKey(password.normalize('NFC'), salt, KEY_BYTES, { ...cost, maxmem: MAX_MEMORY }),
  );
}
