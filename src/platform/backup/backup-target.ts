import { pipeline, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { StartError } from '../config/settings.js';
import { Meter, ObjectMissingError, type ObjectStore, type StoredObject } from '../storage/object-store.js';
import type { Cipher } from './age.js';
import {
  DamagedError,
  readBegun,
  readManifest,
  type BackupManifest,
  type BegunBackup,
  type SavedObjects,
} from './backup-manifest.js';

const NAME = /^\d{4}-\d\d-\d\dt\d{9}z$/;
const MANIFEST = 'backup.json';
const BEGUN = 'begun.json';

/** The name of a backup, by when it was begun: `2026-11-30t154500123z`. Names sort by time. */
export const nameOf = (time: Date): string => time.toISOString().replaceAll(/[:.]/g, '').toLowerCase();
export const isName = (name: string): boolean => NAME.test(name);
export const timeOf = (name: string): Date =>
  new Date(name.replace(/t(..)(..)(..)(...)z$/, (_, h, min, s, ms) => `T${h}:${min}:${s}.${ms}Z`));

/** An object as a backup lists it; size and hash are those of what is stored. */
export interface SavedObject extends StoredObject {
  readonly key: string;
  /** The backup that has stored it; empty for the only one of a folder of 1.0. */
  readonly backup: string;
  /** Bytes that the object has, encrypted or not. */
  readonly plainSize: number;
}

export interface Ciphers {
  readonly encrypt?: Cipher;
  readonly decrypt?: Cipher;
}

export const objectName = ({ key, backup }: Pick<SavedObject, 'key' | 'backup'>): string =>
  `objects/${backup === '' ? '' : `${backup}/`}${key}`;

/**
 * Where backups are: a folder, or what has a prefix in a bucket. Each has a folder by its name, without the objects, which
 * are in `objects/` by the name of the backup that was the first to have them: none is stored twice, or replaced.
 */
export class BackupTarget {
  /** `url`: what it is called in messages. `prefix`: of all keys, empty or with a slash at its end. */
  constructor(
    private readonly store: ObjectStore,
    readonly url: string,
    private readonly prefix = '',
    readonly ciphers: Ciphers = {},
  ) {}

  pathOf = (name: string): string => `${this.url}/${name}`;

  /** Stores a file, encrypted if there is a cipher for it. `plain`: what it was before. */
  async put(name: string, content: Readable): Promise<{ stored: StoredObject; plain: StoredObject }> {
    const { encrypt } = this.ciphers;
    if (!encrypt) {
      const stored = await this.store.put(this.prefix + name, content);
      return { stored, plain: stored };
    }
    const meter = new Meter();
    // Either ends with the other; what reads the meter gets the error.
    pipeline(content, meter, () => undefined);
    const stored = await this.store.put(this.prefix + name, encrypt(meter, name));
    return { stored, plain: meter.result() };
  }

  /** Stores what can be read without any key. */
  putPlain(name: string, content: string): Promise<StoredObject> {
    return this.store.put(this.prefix + name, Buffer.from(content));
  }

  /** A stored file, decrypted if there is a cipher for it; it fails at its end if it is not as it was. */
  async get(name: string, saved: StoredObject | null, what = this.damaged(name)): Promise<Readable> {
    const { decrypt } = this.ciphers;
    const content = await this.getPlain(name, saved, what);
    return decrypt ? decrypt(content, what) : content;
  }

  /** The same, as it is stored. */
  async getPlain(name: string, saved: StoredObject | null, what = this.damaged(name)): Promise<Readable> {
    const content = await this.store.get(this.prefix + name).catch((error: unknown) => {
      throw error instanceof ObjectMissingError ? new DamagedError(`${what} is missing`) : error;
    });
    return saved === null ? content : Readable.from(unchanged(content, saved, what), { objectMode: false });
  }

  /** Bytes that are stored; null if the file is missing. */
  async sizeOf(name: string): Promise<number | null> {
    return (await this.store.stat(this.prefix + name))?.size ?? null;
  }

  /** Names of files that begin like this. */
  async *list(start: string): AsyncGenerator<string> {
    for await (const { key } of this.store.list(this.prefix + start)) yield key.slice(this.prefix.length);
  }

  async remove(names: readonly string[]): Promise<void> {
    await this.store.delete(names.map((name) => this.prefix + name));
  }

  /** The backups, oldest first, and whether they are finished. */
  async backups(): Promise<ReadonlyMap<string, boolean>> {
    const found = new Map<string, boolean>();
    // No name begins with another millennium.
    for await (const path of this.list('2')) {
      const [name = '', file] = path.split('/');
      if (isName(name)) found.set(name, found.get(name) === true || file === MANIFEST);
    }
    return new Map([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  async begin(name: string, begun: BegunBackup): Promise<void> {
    await this.putPlain(`${name}/${BEGUN}`, JSON.stringify(begun));
  }

  async begun(name: string): Promise<BegunBackup> {
    return readBegun(await this.textOf(`${name}/${BEGUN}`), this.pathOf(`${name}/${BEGUN}`));
  }

  async finish(name: string, manifest: BackupManifest): Promise<void> {
    await this.putPlain(`${name}/${MANIFEST}`, `${JSON.stringify(manifest, null, 1)}\n`);
  }

  /** Removes a backup, so that at no time a part of it seems finished; its objects stay. */
  async discard(name: string): Promise<void> {
    await this.remove([`${name}/${MANIFEST}`]);
    await this.removeAll(`${name}/`);
  }

  /** Removes all files that begin like this and are wanted no more. */
  async removeAll(
    start: string,
    unwanted: (names: readonly string[]) => Promise<readonly string[]> = async (names) => names,
  ): Promise<void> {
    let names: string[] = [];
    const flush = async (): Promise<void> => {
      await this.remove(await unwanted(names));
      names = [];
    };
    for await (const name of this.list(start)) if (names.push(name) === 1_000) await flush();
    await flush();
  }

  /** What the backup with this name consists of, without a look at that. `''`: the only one of a folder of 1.0. */
  async manifest(name: string): Promise<BackupManifest> {
    const path = fileOf(name, MANIFEST);
    if ((await this.sizeOf(path)) === null)
      throw new StartError(
        `${this.pathOf(name)} holds no backup, or an unfinished one: there is no ${this.pathOf(path)}`,
      );
    return readManifest(await this.textOf(path), this.pathOf(path));
  }

  private async textOf(name: string): Promise<string> {
    return text(await this.getPlain(name, null));
  }

  private damaged = (name: string): string => `The backup is damaged: ${this.pathOf(name)}`;
}

/** The name of a file of a backup. */
export const fileOf = (backup: string, file: string): string => (backup === '' ? file : `${backup}/${file}`);

/** The lists of the objects of a backup. */
export async function* listsOf(
  target: BackupTarget,
  backup: string,
  { lists }: Pick<SavedObjects, 'lists'>,
): AsyncGenerator<Readable> {
  for (const { file, ...saved } of lists) yield await target.getPlain(fileOf(backup, file), saved);
}

async function* unchanged(content: Readable, saved: StoredObject, what: string): AsyncGenerator<Buffer> {
  const meter = new Meter();
  // Either ends with the other; what reads the meter gets the error.
  pipeline(content, meter, () => undefined);
  for await (const chunk of meter) yield chunk as Buffer;
  const { size, sha256 } = meter.result();
  if (size !== saved.size) throw new DamagedError(`${what} has ${size} bytes instead of ${saved.size}`);
  if (sha256 !== saved.sha256) throw new DamagedError(`${what} has another content than it had`);
}
