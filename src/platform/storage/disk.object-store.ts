import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, constants, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ObjectStore, type StoredObject } from './object-store.js';

const KEY = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;
const PARTIAL_FOLDER = '.partial';
/** No upload takes longer; what is older was left by a process that died. */
const PARTIAL_MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Objects as files below one folder. */
export class DiskObjectStore extends ObjectStore {
  constructor(readonly root: string) {
    super();
  }

  /** Makes the folder and clears what died processes left half-written. */
  async prepare(): Promise<void> {
    const partials = join(this.root, PARTIAL_FOLDER);
    await mkdir(partials, { recursive: true, mode: 0o700 });
    for (const name of await readdir(partials)) {
      const path = join(partials, name);
      const { mtimeMs } = await stat(path);
      if (Date.now() - mtimeMs > PARTIAL_MAX_AGE_MS) await rm(path, { force: true });
    }
  }

  /** The file of an object, for the adapter's own delivery over HTTP. Throws for a key that leaves the folder. */
  pathOf(key: string): string {
    if (!KEY.test(key)) throw new Error(`Not an object key: ${key}`);
    return join(this.root, key);
  }

  /** Written beside its place, flushed, then renamed: a crash leaves the old object or the new one, never half of one. */
  async put(key: string, content: Readable): Promise<StoredObject> {
    const path = this.pathOf(key);
    const partial = join(this.root, PARTIAL_FOLDER, randomUUID());
    const hash = createHash('sha256');
    let size = 0;
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        size += chunk.length;
        done(null, chunk);
      },
    });
    try {
      await pipeline(content, meter, createWriteStream(partial, { mode: 0o600, flush: true }));
      await moveInto(partial, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
    return { size, sha256: hash.digest('hex') };
  }

  async delete(key: string): Promise<void> {
    const path = this.pathOf(key);
    await rm(path, { force: true });
    await removeEmptyFolders(dirname(path), this.root);
  }

  async check(): Promise<void> {
    await access(this.root, constants.R_OK | constants.W_OK | constants.X_OK);
  }
}

/** Once more when a deletion removed the folder, empty at that moment, in between. */
async function moveInto(from: string, to: string, again = true): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || !again) throw error;
    await moveInto(from, to, false);
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function removeEmptyFolders(path: string, root: string): Promise<void> {
  if (path === root || !path.startsWith(root)) return;
  try {
    await rmdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another object lies there, or somebody removed the folder first.
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return;
    if (code !== 'ENOENT') throw error;
  }
  await removeEmptyFolders(dirname(path), root);
}
