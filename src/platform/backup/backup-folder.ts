import { chmod, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from '../../lib/zod.js';
import { StartError } from '../config/settings.js';
import { Meter, type StoredObject } from '../storage/object-store.js';
import { refuseLinks } from '../storage/symbolic-links.js';

/** A later release that writes another one still reads this. */
const FORMAT = 1;

const stored = { size: z.number().int(), sha256: z.string() };
const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();
const file = z.string().regex(/^[\w.%-]+$/);

/** What a backup consists of. Written last: without it, the folder is not a backup. */
const MANIFEST = z.object({
  format: z.literal(FORMAT),
  createdAt: z.string(),
  /** All rows of a database at one moment. */
  rows: z.object({
    /** Those that made its schema. */
    migrations: list(z.string()),
    /** `file`: in the folder of the rows. */
    tables: list(z.object({ name: z.string(), columns: list(z.string()), file, ...stored })),
    /** `value`: the last number that was given out. */
    sequences: list(z.object({ name: z.string(), value: z.string(), isLarge: z.boolean() })),
    /** The times between which changes were logged; their rows need partitions. */
    changes: z.object({ from: z.coerce.date(), to: z.coerce.date() }).nullable(),
  }),
  /** What rows refer to. */
  references: z.object(stored),
  /** Null: they are not part of it. */
  objects: z.object({ count: z.number().int(), bytes: z.number().int(), list: z.object(stored) }).nullable(),
  keys: list(file),
  /** The keys that the rows are encrypted with. */
  sealingKeyIds: list(z.string()),
});
export type BackupManifest = z.infer<typeof MANIFEST>;
export type SavedRows = BackupManifest['rows'];
export type SavedObjects = NonNullable<BackupManifest['objects']>;

interface BackupFile {
  readonly path: string;
  readonly stored: StoredObject;
  readonly isTable?: boolean;
}

/** The paths of a backup. Below its own, no symbolic link is followed. */
export class BackupFolder {
  readonly rows: string;
  readonly keys: string;
  readonly objects: string;
  /** One object a line: key, size, SHA-256. */
  readonly objectList: string;
  /** What rows refer to. */
  readonly references: string;
  private readonly manifest: string;

  constructor(readonly path: string) {
    this.rows = join(path, 'rows');
    this.keys = join(path, 'keys');
    this.objects = join(path, 'objects');
    this.objectList = join(path, 'objects.tsv');
    this.references = join(path, 'references.tsv');
    this.manifest = join(path, 'backup.json');
  }

  /** Creates it, readable for this user only, or takes an empty one. */
  async create(): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    const [found] = await readdir(this.path);
    if (found !== undefined) throw new StartError(`${this.path} is not empty: it has ${found}`);
    await chmod(this.path, 0o700);
    for (const folder of [this.rows, this.keys]) await mkdir(folder, { mode: 0o700 });
  }

  /** Removes what `create` and those after it have written. */
  async discard(): Promise<void> {
    const { manifest, rows, keys, objects, objectList, references } = this;
    for (const path of [manifest, `${manifest}.new`, rows, keys, objects, objectList, references])
      await rm(path, { recursive: true, force: true });
  }

  async finish(manifest: BackupManifest): Promise<void> {
    const unfinished = `${this.manifest}.new`;
    const text = `${JSON.stringify(manifest, null, 1)}\n`;
    await writeFile(unfinished, text, { flag: 'wx', mode: 0o600, flush: true });
    await rename(unfinished, this.manifest);
  }

  /** Returns what the backup consists of, once all is there that it names. */
  async read(): Promise<BackupManifest> {
    const manifest = await this.readManifest();
    for (const { path, stored: saved, isTable } of this.files(manifest))
      await (isTable ? this.requireSize(path, saved) : this.requireContent(path, saved));
    return manifest;
  }

  /** The same without a look at what it consists of. */
  async readManifest(): Promise<BackupManifest> {
    const path = await refuseLinks(this.path, this.manifest);
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      throw new StartError(
        `${this.path} holds no backup, or an unfinished one: there is no ${this.manifest}`,
        { cause: error },
      );
    });
    try {
      return MANIFEST.parse(JSON.parse(text));
    } catch (error) {
      throw new StartError(
        `${this.manifest} was changed, or written by a newer release that this one cannot read`,
        { cause: error },
      );
    }
  }

  /** Reads all files but objects and keys to their end. `onProblem`: called for each that is not as it was. */
  async verify(manifest: BackupManifest, onProblem: (problem: string) => void): Promise<void> {
    for (const { path, stored: saved } of this.files(manifest))
      await this.requireContent(path, saved).catch((error: unknown) => {
        if (!(error instanceof StartError)) throw error;
        onProblem(error.message);
      });
  }

  private files({ rows, references, objects }: BackupManifest): readonly BackupFile[] {
    return [
      { path: this.references, stored: references },
      ...(objects ? [{ path: this.objectList, stored: objects.list }] : []),
      // Their content is compared when they are loaded.
      ...rows.tables.map((table) => ({ path: join(this.rows, table.file), stored: table, isTable: true })),
    ];
  }

  private async requireSize(path: string, { size }: StoredObject): Promise<void> {
    const found = await lstat(await refuseLinks(this.path, path)).catch(() => null);
    if (found?.isFile() && found.size === size) return;
    const what = found?.isFile() ? `has ${found.size} bytes instead of ${size}` : 'is missing';
    throw new StartError(`The backup is damaged: ${path} ${what}`);
  }

  private async requireContent(path: string, saved: StoredObject): Promise<void> {
    await this.requireSize(path, saved);
    const meter = new Meter();
    await pipeline(createReadStream(path), meter.resume());
    if (meter.result().sha256 !== saved.sha256)
      throw new StartError(`The backup is damaged: ${path} has another content than it had`);
  }
}
