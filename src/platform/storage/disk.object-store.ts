import { randomUUID } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { access, constants, mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  filesBelow,
  linkDurably,
  moveDurably,
  removeEmptyFolders,
  removeFile,
  saysNoFile,
  statOrNull,
} from './disk-files.js';
import { refuseLinks } from './symbolic-links.js';
import {
  isObjectKey,
  Meter,
  ObjectMissingError,
  ObjectStore,
  requireObjectKey,
  StoreUnavailableError,
  type ByteRange,
  type ListedObject,
  type ObjectInfo,
  type ObjectLocation,
  type StoredObject,
} from './object-store.js';

const PARTIAL_FOLDER = '.partial';
/** No upload takes longer; older files were left by a process that died. */
const PARTIAL_MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Bytes per read. Four times Node's default: a third less CPU time per video, at little memory per connection. */
const READ_BYTES = 256 * 1024;

/** Error codes of a disk that is full, or cannot be written to at the moment. */
const UNAVAILABLE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE']);

export class DiskObjectStore extends ObjectStore {
  /** `linksEndAt`: a folder above or the same, below which no symbolic link is followed; by default, all are. */
  constructor(
    readonly root: string,
    private readonly linksEndAt: string | null = null,
  ) {
    super();
  }

  /** Creates the folder and removes incomplete files left by dead processes. */
  async prepare(): Promise<void> {
    const partials = await this.checked(join(this.root, PARTIAL_FOLDER));
    await mkdir(partials, { recursive: true, mode: 0o700 });
    for (const name of await readdir(partials)) {
      const path = join(partials, name);
      const stats = await statOrNull(path);
      if (stats && Date.now() - stats.mtimeMs > PARTIAL_MAX_AGE_MS) await rm(path, { force: true });
    }
  }

  /** The file of an object. Throws for a key that leaves the folder. */
  pathOf(key: string): string {
    requireObjectKey(key);
    return join(this.root, key);
  }

  /** Writes a temporary file, flushes it, then renames it: a crash leaves either the old object or the new one. */
  async put(key: string, content: Readable | Uint8Array): Promise<StoredObject> {
    const path = await this.checked(this.pathOf(key));
    const meter = new Meter();
    await this.viaPartial(async (partial) => {
      const source = content instanceof Readable ? content : Readable.from([content]);
      // Until the pipeline listens, an error of the source would end the process; the pipeline still reports it.
      source.on('error', () => undefined);
      // `createWriteStream` opens lazily: it might create the file after the source has failed and the file was
      // removed.
      const file = await open(partial, 'wx', 0o600).catch((error: unknown) => {
        source.destroy();
        throw error;
      });
      await pipeline(source, meter, file.createWriteStream({ flush: true }));
      await moveDurably(partial, path, this.root);
    });
    return meter.result();
  }

  /** A hard link if the file system supports it, otherwise a copy. */
  async putFile(key: string, file: string): Promise<void> {
    const path = this.pathOf(key);
    const linked = await this.viaPartial(async (partial) => {
      const done = await linkDurably(file, partial);
      if (done) await moveDurably(partial, path, this.root);
      // Still exists if both names already were the same file: renaming is then a no-op.
      await rm(partial, { force: true });
      return done;
    });
    if (!linked) await this.put(key, createReadStream(file));
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    try {
      const file = await open(await this.checked(this.pathOf(key)), 'r');
      // Opening a folder succeeds; only reading it fails.
      if ((await file.stat()).isFile()) return file.createReadStream({ ...range, highWaterMark: READ_BYTES });
      await file.close();
    } catch (error) {
      if (!saysNoFile(error)) throw error;
    }
    throw new ObjectMissingError(key);
  }

  async stat(key: string): Promise<ObjectInfo | null> {
    const stats = await this.statOf(this.pathOf(key));
    return stats?.isFile() ? { key, size: stats.size, modifiedAt: stats.mtime } : null;
  }

  async *list(prefix: string): AsyncGenerator<ListedObject> {
    const folder = prefix.slice(0, Math.max(prefix.lastIndexOf('/'), 0));
    if (folder !== '' && !isObjectKey(folder)) return;
    const wanted = (path: string): boolean => path.startsWith(prefix) && isObjectKey(path);
    for await (const { path, stats } of filesBelow(this.root, folder, wanted, this.statOf))
      yield { key: path, modifiedAt: stats.mtime };
  }

  async delete(keys: readonly string[]): Promise<void> {
    const paths = keys.map((key) => this.pathOf(key));
    for (const path of paths) {
      await removeFile(path);
      await removeEmptyFolders(dirname(path), this.root);
    }
  }

  async locate(key: string): Promise<ObjectLocation> {
    return { file: this.pathOf(key) };
  }

  async presign(): Promise<null> {
    return null;
  }

  async check(): Promise<void> {
    await access(this.root, constants.R_OK | constants.W_OK | constants.X_OK);
  }

  private readonly statOf = async (path: string): Promise<Stats | null> =>
    statOrNull(await this.checked(path));

  private async checked(path: string): Promise<string> {
    return this.linksEndAt === null ? path : refuseLinks(this.linksEndAt, path);
  }

  /** Gives the work a temporary path in the same file system, and removes the file if it fails. */
  private async viaPartial<Result>(work: (partial: string) => Promise<Result>): Promise<Result> {
    const partial = await this.checked(join(this.root, PARTIAL_FOLDER, randomUUID()));
    try {
      return await work(partial);
    } catch (error) {
      await rm(partial, { force: true });
      const { code = '' } = error as NodeJS.ErrnoException;
      throw UNAVAILABLE.has(code) ? new StoreUnavailableError(error) : error;
    }
  }
}
