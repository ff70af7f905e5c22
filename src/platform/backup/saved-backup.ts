import { join } from 'node:path/posix';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { StartError } from '../config/settings.js';
import { requireKey } from '../secrets/keys.js';
import { ObjectMissingError, type StoredObject } from '../storage/object-store.js';
import { MANIFEST, type BackupManifest, type SavedTable } from './backup-manifest.js';
import { MANIFEST_FILE, type BackupTarget } from './backup-target.js';
import type { Reference } from './known-objects.queries.js';

export const REFERENCES_FILE = 'references.tsv';
/** What `COPY` writes for null. */
const NULL = String.raw`\N`;

/** An object as a backup lists it; size and hash are those of what is stored. */
export interface SavedObject extends StoredObject {
  readonly key: string;
  /** The backup that has stored it; empty for the only one of a folder of 1.0. */
  readonly backup: string;
  /** Bytes that the object has, encrypted or not. */
  readonly plainSize: number;
}

export const objectName = ({ key, backup }: Pick<SavedObject, 'key' | 'backup'>): string =>
  join('objects', backup, key);

/** A finished backup. What it opens fails at its end if it is not as it was. */
export class SavedBackup {
  private constructor(
    readonly target: BackupTarget,
    /** Empty for a folder of 1.0. */
    readonly name: string,
    readonly manifest: BackupManifest,
  ) {}

  /** Without a look at what it consists of. */
  static async open(target: BackupTarget, name: string): Promise<SavedBackup> {
    const path = join(name, MANIFEST_FILE);
    if (await target.stat(path)) return new SavedBackup(target, name, await target.read(path, MANIFEST));
    throw new StartError(
      `${target.pathOf(name)} holds no backup, or an unfinished one: there is no ${target.pathOf(path)}`,
    );
  }

  /** Whether nothing of it can be read, as there is no identity. */
  get isSealed(): boolean {
    return this.manifest.encryptedTo.length > 0 && !this.target.cipher;
  }

  /** Reads a file, decrypted if this backup is encrypted, whatever the others are. */
  get: BackupTarget['get'] = (...file) =>
    this.manifest.encryptedTo.length > 0 ? this.target.get(...file) : this.target.getPlain(...file);

  fileOfTable = ({ file }: SavedTable): string => join(this.name, 'rows', file);
  openTable = (table: SavedTable): Promise<Readable> => this.get(this.fileOfTable(table), table);
  openReferences = (): Promise<Readable> =>
    this.get(join(this.name, REFERENCES_FILE), this.manifest.references);

  async *references(): AsyncGenerator<Reference> {
    for await (const [key = '', size = NULL, sha256 = NULL] of fieldsOf(await this.openReferences()))
      yield { key, size: size === NULL ? null : Number(size), sha256: sha256 === NULL ? null : sha256 };
  }

  /** The lists of its objects, to be opened. */
  get lists(): readonly (() => Promise<Readable>)[] {
    const lists = this.manifest.objects?.lists ?? [];
    return lists.map((list) => () => this.target.getPlain(join(this.name, list.file), list));
  }

  async *objects(): AsyncGenerator<SavedObject> {
    for (const open of this.lists)
      for await (const [key = '', size, sha256 = '', backup = '', plainSize = size] of fieldsOf(await open()))
        yield { key, size: Number(size), sha256, backup, plainSize: Number(plainSize) };
  }

  /** A key that it has. Throws if the file is damaged. */
  async key(file: string): Promise<string> {
    const name = join(this.name, 'keys', file);
    const path = this.target.pathOf(name);
    return requireKey(path, await text(await this.get(name, null, path)));
  }

  /** Throws unless all is there that it needs to be restored, and can be decrypted. */
  async requireWhole(): Promise<void> {
    if (this.isSealed)
      throw new StartError(
        `The backup is encrypted to ${this.manifest.encryptedTo.join(', ')}: give the file with the identity as --identity`,
      );
    for (const open of [this.openReferences, ...this.lists]) await readAll(open);
    // Their content is compared when they are loaded.
    for (const table of this.manifest.rows.tables)
      await this.target.requireSize(this.fileOfTable(table), table.size);
  }

  /** Reads all files but objects and keys to their end. `onProblem`: called for each that is not as it was. */
  async verify(onProblem: (problem: string) => void): Promise<void> {
    const tables = this.manifest.rows.tables.map((table) => () => this.openTable(table));
    for (const open of [this.openReferences, ...this.lists, ...tables])
      await orReport(onProblem, () => readAll(open));
  }
}

/** Does the work; if it fails for what is in a backup or a store, only reports that. */
export async function orReport(
  onProblem: (problem: string) => void,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ObjectMissingError) onProblem(`${error.key}: is missing`);
    else if (error instanceof StartError) onProblem(error.message);
    else throw error;
  }
}

const readAll = async (open: () => Promise<Readable>): Promise<void> => finished((await open()).resume());

async function* fieldsOf(content: Readable): AsyncGenerator<string[]> {
  let rest = '';
  for await (const chunk of content.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.split('\t');
  }
}
