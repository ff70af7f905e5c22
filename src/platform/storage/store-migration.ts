import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../errors/service-error.js';
import { ObjectMissingError, type ObjectInfo, type ObjectStore } from './object-store.js';

/** Objects copied concurrently. */
const AT_ONCE = 4;
/** Attempts to copy an object whose checksum does not match. */
const TRIES = 3;

export interface MigrationOptions {
  /** Remove each object from the source once it has been verified in the target. */
  readonly deleteSource?: boolean;
  /** After it aborts, no further objects are started. */
  readonly signal?: AbortSignal;
  /** Called after every object. */
  readonly onProgress?: (done: Amount, total: Amount) => void;
}

export interface Amount {
  readonly objects: number;
  readonly bytes: number;
}

export interface MigrationReport {
  /** Objects copied and verified by reading them back. */
  readonly copied: number;
  /** Objects that were already in the target, with the same SHA-256. */
  readonly skipped: number;
  /** Bytes of the copied objects. */
  readonly bytes: number;
  /** Objects removed from the source. */
  readonly deleted: number;
  /** Objects that were deleted from the source while this ran. */
  readonly vanished: number;
  /** Objects that were not copied or not removed, and why. They remain in the source. */
  readonly failed: readonly { readonly key: string; readonly reason: string }[];
  /** Whether it was stopped early; running it again resumes it. */
  readonly interrupted: boolean;
}

/** Copies every object from one store to another. May be stopped at any time and run again. */
export class StoreMigration {
  private total: Amount = { objects: 0, bytes: 0 };
  private done: Amount = { objects: 0, bytes: 0 };
  private readonly counts = { copied: 0, skipped: 0, bytes: 0, deleted: 0, vanished: 0 };
  private interrupted = false;
  private readonly failed: { key: string; reason: string }[] = [];

  constructor(
    private readonly source: ObjectStore,
    private readonly target: ObjectStore,
    private readonly options: MigrationOptions = {},
  ) {}

  /** Call once. Throws if a store becomes unavailable; failures of individual objects are in the report. */
  async run(): Promise<MigrationReport> {
    for await (const { size } of this.source.list('')) this.total = plus(this.total, size);
    const objects = this.source.list('')[Symbol.asyncIterator]();
    // When one worker fails, the shared iterator ends for the others, so they finish their current object and stop.
    const shared = { [Symbol.asyncIterator]: () => objects };
    const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => this.work(shared)));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    return { ...this.counts, failed: this.failed, interrupted: this.interrupted };
  }

  private async work(objects: AsyncIterable<ObjectInfo>): Promise<void> {
    for await (const object of objects) {
      if (this.options.signal?.aborted) {
        this.interrupted = true;
        return;
      }
      await this.migrate(object);
      this.done = plus(this.done, object.size);
      this.options.onProgress?.(this.done, this.total);
    }
  }

  private async migrate(object: ObjectInfo): Promise<void> {
    const { key, size } = object;
    try {
      // Not the entry of the list, whose timestamp may be more precise.
      const before = this.options.deleteSource ? await this.source.stat(key) : null;
      if (await this.isThere(object)) this.counts.skipped++;
      else {
        await this.copy(key);
        this.counts.copied++;
        this.counts.bytes += size;
      }
      if (before) await this.removeSource(before);
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      if (error instanceof ObjectMissingError && !(await this.source.stat(key))) this.counts.vanished++;
      else this.failed.push({ key, reason: (error as Error).message });
    }
  }

  private async isThere({ key, size }: ObjectInfo): Promise<boolean> {
    if ((await this.target.stat(key))?.size !== size) return false;
    const [left, arrived] = await Promise.all([sha256Of(this.source, key), sha256Of(this.target, key)]);
    return left === arrived;
  }

  private async copy(key: string): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      const { sha256 } = await this.target.put(key, await this.source.get(key));
      if ((await sha256Of(this.target, key)) === sha256) return;
    }
    throw new Error('the content read back from the target differs from what was written');
  }

  /** Unless it was replaced since: its new content may not be in the target. */
  private async removeSource({ key, size, modifiedAt }: ObjectInfo): Promise<void> {
    const now = await this.source.stat(key);
    if (!now) return;
    if (now.size !== size || now.modifiedAt.getTime() !== modifiedAt.getTime()) {
      throw new Error('changed in the source during the migration, so it was not removed');
    }
    await this.source.delete([key]);
    this.counts.deleted++;
  }
}

async function sha256Of(store: ObjectStore, key: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(await store.get(key), hash);
  return hash.digest('hex');
}

function plus({ objects, bytes }: Amount, size: number): Amount {
  return { objects: objects + 1, bytes: bytes + size };
}
