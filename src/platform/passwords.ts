import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';

const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** What OWASP asks of scrypt in 32 MiB: about a quarter of a second. */
const COST = { N: 2 ** 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** Twice what `COST` needs; Node's default, 32 MiB, is a little too low for it. */
const MAX_MEMORY = 64 * 1024 * 1024;
/** `scrypt$N$r$p$salt$key`: hashes made with another cost stay good. */
const HASH = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]{22})\$([\w-]{43})$/;

/** What is stored of a password that somebody chose. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await keyOf(password, salt, COST);
  const { N, r, p } = COST;
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Whether it is the password that `hash` was made of. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = HASH.exec(hash) ?? malformed();
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const expected = Buffer.from(key, 'base64url');
  return timingSafeEqual(await keyOf(password, Buffer.from(salt, 'base64url'), cost), expected);
}

/** Never tells the hash: the message goes to the log. */
function malformed(): never {
  throw new Error('A stored password hash is malformed: it is not scrypt$N$r$p$salt$key.');
}

/** Keyboards differ in how they spell é; Unicode's composed form (NFC) is the same for all. */
function keyOf(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  return inTurn(() => deriveKey(password.normalize('NFC'), salt, KEY_BYTES, { ...cost, maxmem: MAX_MEMORY }));
}

/** At most so many at a time: each takes 32 MiB and one of the four threads that also read files. */
const AT_A_TIME = 2;
let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_A_TIME) running += 1;
  // Whoever ends hands its place on.
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
