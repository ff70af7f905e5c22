import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { ConfinedFolder } from '../../../lib/processes/confined-folder.js';
import { newId } from '../../../platform/ids.js';
import { Meter } from '../../../platform/storage/object-store.js';
import { ObjectStore, type ByteRange } from '../../../platform/storage/object-store.js';
import { findCurrentAttempts } from './packaging.queries.js';

/** An object, or a range of its bytes. */
export interface StoredBytes {
  readonly key: string;
  readonly range?: ByteRange;
}

export interface LocalFile {
  readonly path: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** An idle speech process keeps an empty folder here for a minute; an older one is what a dead process has left. */
const IDLE_FOLDER_MS = 60 * 60 * 1000;

const OWN_PREFIX = 'own-';

const OPENED_AHEAD = 8;
const STORED_AT_ONCE = 4;

/** Local working folders, one per attempt and named after its id; nothing in them has to survive. */
@Injectable()
export class ScratchService {
  private readonly root: string;

  constructor(
    @Inject(SETTINGS) { dataDir }: Settings,
    private readonly objects: ObjectStore,
    private readonly dataSource: DataSource,
  ) {
    this.root = join(dataDir, 'scratch');
  }

  /** Runs `work` in a fresh folder, which is always removed afterwards. */
  async within<T>(attempt: string, work: (folder: string) => Promise<T>): Promise<T> {
    await this.sweep();
    const folder = join(this.root, attempt);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  /** The same for work that is no attempt which a row names: its folder shows that it goes on. */
  async withinOwn<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const name = OWN_PREFIX + newId();
    const touch = (): Promise<void> => utimes(join(this.root, name), new Date(), new Date());
    // It is not there before the work begins, nor after it has ended.
    const beat = setInterval(() => void touch().catch(() => undefined), IDLE_FOLDER_MS / 4);
    try {
      return await this.within(name, work);
    } finally {
      clearInterval(beat);
    }
  }

  /** Concatenates objects into one file; with `start`, into one that exists, from this offset on. */
  async assemble(
    objects: readonly StoredBytes[],
    path: string,
    signal: AbortSignal,
    start?: number,
  ): Promise<LocalFile> {
    const meter = new Meter();
    const file = createWriteStream(path, start === undefined ? { mode: 0o600 } : { flags: 'r+', start });
    await pipeline(this.read(objects), meter, file, { signal });
    return { path, sha256: meter.result().sha256 };
  }

  async sha256(path: string): Promise<string> {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    return hash.digest('hex');
  }

  /** Stores every file below a folder, under keys that begin with this one. */
  async store(folder: string, key: string, signal: AbortSignal): Promise<void> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    while (files.length > 0) {
      signal.throwIfAborted();
      const batch = files.splice(0, STORED_AT_ONCE);
      await Promise.all(batch.map((file) => this.objects.putFile(`${key}/${relative(folder, file)}`, file)));
    }
  }

  /** Opens the next objects ahead: a live upload leaves thousands of small ones, and a store may be slow to answer. */
  async *read(objects: readonly StoredBytes[]): AsyncIterable<Buffer> {
    const waiting = [...objects];
    const opened: Promise<Readable>[] = [];
    const open = ({ key, range }: StoredBytes): void => {
      const opening = this.objects.get(key, range);
      // Reported when it is read.
      opening.catch(() => undefined);
      opened.push(opening);
    };
    try {
      waiting.splice(0, OPENED_AHEAD).forEach(open);
      for (let next = opened[0]; next; next = opened[0]) {
        yield* (await next) as AsyncIterable<Buffer>;
        void opened.shift();
        waiting.splice(0, 1).forEach(open);
      }
    } finally {
      for (const opening of opened) void opening.then((content) => content.destroy()).catch(() => undefined);
    }
  }

  /** Removes what dead processes left behind: folders of attempts that are no longer current, and idle ones. */
  private async sweep(): Promise<void> {
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    const names = await readdir(this.root);
    const current = await findCurrentAttempts(this.dataSource.manager, names);
    for (const name of names) {
      const path = join(this.root, name);
      const showsUse = ConfinedFolder.isOne(name) || name.startsWith(OWN_PREFIX);
      const inUse = showsUse ? await isRecent(path) : current.has(name);
      if (!inUse) await rm(path, { recursive: true, force: true });
    }
  }
}

async function isRecent(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  return stats !== null && Date.now() - stats.ctimeMs < IDLE_FOLDER_MS;
}
