import { pipeline, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { z } from '../../lib/zod.js';
import { StartError } from '../config/settings.js';
import {
  Meter,
  ObjectMissingError,
  type ObjectInfo,
  type ObjectStore,
  type StoredObject,
} from '../storage/object-store.js';
import { BEGUN, DamagedError, type BackupManifest, type BegunBackup } from './backup-manifest.js';

/** The name of a backup, by when it was begun: `2026-11-30t154500123z`. Names sort by time. */
export const nameOf = (time: Date): string => time.toISOString().replaceAll(/[:.]/g, '').toLowerCase();
export const isName = (name: string): boolean => /^\d{4}-\d\d-\d\dt\d{9}z$/.test(name);
export const timeOf = (name: string): Date =>
  new Date(name.replace(/t(..)(..)(..)(...)z$/, (_, h, min, s, ms) => `T${h}:${min}:${s}.${ms}Z`));

export const MANIFEST_FILE = 'backup.json';
const BEGUN_FILE = 'begun.json';

/** Turns content, which is called `what` in messages, into encrypted content, or back. The result fails if it does. */
export type Cipher = (content: Readable, what: string) => Readable;

/**
 * Where backups are: a folder, or what has a prefix in a bucket. Each has a folder by its name, without the objects, which
 * are in `objects/` by the name of the backup that was the first to have them: none is stored twice, or replaced.
 */
export class BackupTarget {
  /**
   * `url`: what it is called in messages. `prefix`: of all keys, empty or with a slash at its end. `cipher`: encrypts what
   * is put, or decrypts what is read.
   */
  constructor(
    private readonly store: ObjectStore,
    readonly url: string,
    private readonly prefix = '',
    readonly cipher?: Cipher,
  ) {}

  pathOf = (name: string): string => `${this.url}/${name}`;

  /** Stores a file, encrypted if there is a cipher for it. `plain`: what it was before. */
  async put(name: string, content: Readable): Promise<{ stored: StoredObject; plain: StoredObject }> {
    if (!this.cipher) {
      const stored = await this.store.put(this.prefix + name, content);
      return { stored, plain: stored };
    }
    const meter = metered(content);
    const stored = await this.store.put(this.prefix + name, this.cipher(meter, name));
    return { stored, plain: meter.result() };
  }

  /** Stores what can be read without any key. */
  putPlain(name: string, content: string): Promise<StoredObject> {
    return this.store.put(this.prefix + name, Buffer.from(content));
  }

  /** A stored file, decrypted if there is a cipher for it; it fails at its end if it is not as it was. */
  async get(name: string, saved: StoredObject | null, what = this.damaged(name)): Promise<Readable> {
    const content = await this.getPlain(name, saved, what);
    return this.cipher?.(content, what) ?? content;
  }

  /** The same, as it is stored. */
  async getPlain(name: string, saved: StoredObject | null, what = this.damaged(name)): Promise<Readable> {
    const content = await this.store.get(this.prefix + name).catch((error: unknown) => {
      throw error instanceof ObjectMissingError ? new DamagedError(`${what} is missing`) : error;
    });
    return saved === null ? content : Readable.from(unchanged(content, saved, what), { objectMode: false });
  }

  /** The content of a JSON file. */
  async read<Shape extends z.ZodType>(name: string, shape: Shape): Promise<z.infer<Shape>> {
    const json = await text(await this.getPlain(name, null));
    try {
      return shape.parse(JSON.parse(json));
    } catch (error) {
      throw new StartError(
        `${this.pathOf(name)} was changed, or written by a newer release that this one cannot read`,
        { cause: error },
      );
    }
  }

  /** As it is stored; null if the file is missing. */
  stat = (name: string): Promise<ObjectInfo | null> => this.store.stat(this.prefix + name);

  /** Throws if a file is missing, or has another size. */
  async requireSize(name: string, size: number): Promise<void> {
    const problem = differenceOf({ size }, await this.stat(name));
    if (problem !== null) throw new DamagedError(`${this.damaged(name)} ${problem}`);
  }

  /** Names of files that begin like this. */
  async *list(start: string): AsyncGenerator<string> {
    for await (const { key } of this.store.list(this.prefix + start)) yield key.slice(this.prefix.length);
  }

  /** The names of all backups and of those that are finished, oldest first. */
  async backups(): Promise<Readonly<Record<'all' | 'finished', readonly string[]>>> {
    const all = new Set<string>();
    const finished = new Set<string>();
    // No name begins with another millennium.
    for await (const path of this.list('2')) {
      const [name = '', file] = path.split('/');
      if (isName(name)) all.add(name);
      if (isName(name) && file === MANIFEST_FILE) finished.add(name);
    }
    return { all: [...all].toSorted(), finished: [...finished].toSorted() };
  }

  async begin(name: string, begun: BegunBackup): Promise<void> {
    await this.putPlain(`${name}/${BEGUN_FILE}`, JSON.stringify(begun));
  }

  begun = (name: string): Promise<BegunBackup> => this.read(`${name}/${BEGUN_FILE}`, BEGUN);

  async finish(name: string, manifest: BackupManifest): Promise<void> {
    await this.putPlain(`${name}/${MANIFEST_FILE}`, `${JSON.stringify(manifest, null, 1)}\n`);
  }

  /** Removes a backup, so that at no time a part of it seems finished; its objects stay. */
  async discard(name: string): Promise<void> {
    await this.store.delete([`${this.prefix}${name}/${MANIFEST_FILE}`]);
    await this.removeAll(`${name}/`);
  }

  /** Removes all files that begin like this and are wanted no more. */
  async removeAll(
    start: string,
    unwanted: (names: readonly string[]) => Promise<readonly string[]> = async (names) => names,
  ): Promise<void> {
    let names: string[] = [];
    const flush = async (): Promise<void> => {
      await this.store.delete((await unwanted(names)).map((name) => this.prefix + name));
      names = [];
    };
    for await (const name of this.list(start)) if (names.push(name) === 1_000) await flush();
    await flush();
  }

  private damaged = (name: string): string => `The backup is damaged: ${this.pathOf(name)}`;
}

/** What is known of an object, or found of it. */
export interface Description {
  readonly size: number | null;
  readonly sha256?: string | null;
}

/** What is wrong with what was found, as far as it is known; null: nothing. */
export function differenceOf(known: Description, found: Description | null): string | null {
  if (!found) return 'is missing';
  if (known.size !== null && found.size !== known.size)
    return `has ${found.size} bytes instead of ${known.size}`;
  const isSame = !known.sha256 || !found.sha256 || found.sha256 === known.sha256;
  return isSame ? null : 'has another content than it had';
}

function metered(content: Readable): Meter {
  const meter = new Meter();
  // Either ends with the other; what reads the meter gets the error.
  pipeline(content, meter, () => undefined);
  return meter;
}

async function* unchanged(content: Readable, saved: StoredObject, what: string): AsyncGenerator<Buffer> {
  const meter = metered(content);
  for await (const chunk of meter) yield chunk as Buffer;
  const problem = differenceOf(saved, meter.result());
  if (problem !== null) throw new DamagedError(`${what} ${problem}`);
}
