import { randomBytes, randomUUID } from 'node:crypto';
import { chown, link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError } from '../config/settings.js';
import type { Key } from './key-ring.js';

/** `SECRET`, and what a rotation adds: `from=TIME until=TIME`, ISO 8601. */
const LINE = /^(\S{32,})(?: from=(\S+))?(?: until=(\S+))?$/;

/** A new secret of 256 bits, in a shape that the log hides wherever it occurs. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The keys in a file, newest first: one line each. Null if there is no such file. */
export async function readKeyFile(path: string): Promise<readonly Key[] | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const keys = text.trim().split(/\r?\n/).map(parse);
  if (keys.some((key) => key === null)) {
    throw new StartError(
      `${path}: does not contain keys as the service writes them; restore it from a backup`,
    );
  }
  return keys as Key[];
}

/** Creates the file with one key. Processes that do so at once get the same key. */
export async function createKeyFile(path: string): Promise<readonly Key[]> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const candidate = await write(path, newSecret());
  // `link` fails if another process was first; its key is used then.
  await link(candidate, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(candidate, { force: true });
  const keys = await readKeyFile(path);
  if (keys === null) throw new StartError(`${path}: was removed right after it had been created`);
  return keys;
}

/** Replaces the keys in an existing file, which keeps its owner: processes read the old keys or the new ones, never a part. */
export async function replaceKeyFile(path: string, keys: readonly Key[]): Promise<void> {
  const { uid, gid } = await stat(path);
  const candidate = await write(path, keys.map(format).join('\n'));
  const written = await stat(candidate);
  // The command line may run as root, and the service as another user.
  if (written.uid !== uid || written.gid !== gid) await chown(candidate, uid, gid);
  await rename(candidate, path);
}

async function write(path: string, text: string): Promise<string> {
  // Not the process id: the processes of two containers with a common folder have the same.
  const candidate = `${path}.${randomUUID()}`;
  const file = await open(candidate, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  return candidate;
}

function parse(line: string): Key | null {
  const [, secret, from, until] = LINE.exec(line) ?? [];
  if (secret === undefined) return null;
  const key = {
    secret,
    from: from === undefined ? 0 : Date.parse(from),
    until: until === undefined ? Infinity : Date.parse(until),
  };
  return Number.isNaN(key.from) || Number.isNaN(key.until) ? null : key;
}

function format({ secret, from, until }: Key): string {
  const starts = from === 0 ? '' : ` from=${new Date(from).toISOString()}`;
  const ends = until === Infinity ? '' : ` until=${new Date(until).toISOString()}`;
  return secret + starts + ends;
}
