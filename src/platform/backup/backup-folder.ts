import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from '../../lib/zod.js';
import { StartError } from '../config/settings.js';
import { Meter } from '../storage/meter.js';
import type { StoredObject } from '../storage/object-store.js';

/** A later release that writes another one still reads this. */
const FORMAT = 1;

const stored = { size: z.number().int(), sha256: z.string() };
const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();
const file = z.string().regex(/^[\w.%-]+$/);

/** What a backup consists of. Written last: without it, the folder is no backup. */
const MANIFEST = z.object({
  format: z.literal(FORMAT),
  createdAt: z.string(),
  rows: z.object({
    migrations: list(z.string()),
    tables: list(z.object({ name: z.string(), columns: list(z.string()), file, ...stored })),
    sequences: list(z.object({ name: z.string(), value: z.string(), isLarge: z.boolean() })),
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

/** The paths of a backup. */
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
    const written = await open(unfinished, 'wx', 0o600);
    try {
      await written.writeFile(`${JSON.stringify(manifest, null, 1)}\n`);
      await written.sync();
    } finally {
      await written.close();
    }
    await rename(unfinished, this.manifest);
  }

  /** Returns what the backup consists of, once all is there that it names. */
  async read(): Promise<BackupManifest> {
    const text = await readFile(this.manifest, 'utf8').catch((error: unknown) => {
      throw new StartError(
        `${this.path} holds no backup, or an unfinished one: there is no ${this.manifest}`,
        { cause: error },
      );
    });
    const manifest = this.parse(text);
    const { rows, references, objects } = manifest;
    for (const table of rows.tables) await requireSize(join(this.rows, table.file), table.size);
    await requireContent(this.references, references);
    if (objects) await requireContent(this.objectList, objects.list);
    return manifest;
  }

  private parse(text: string): BackupManifest {
    try {
      return MANIFEST.parse(JSON.parse(text));
    } catch (error) {
      throw new StartError(
        `${this.manifest} was changed, or written by a newer release that this one cannot read`,
        {
          cause: error,
        },
      );
    }
  }
}

async function requireSize(path: string, size: number): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found?.size === size) return;
  const what = found ? `has ${found.size} bytes instead of ${size}` : 'is missing';
  throw new StartError(`The backup is damaged: ${path} ${what}`);
}

async function requireContent(path: string, { size, sha256 }: StoredObject): Promise<void> {
  await requireSize(path, size);
  const meter = new Meter();
  await pipeline(createReadStream(path), meter, new Writable({ write: (_chunk, _encoding, done) => done() }));
  if (meter.result().sha256 !== sha256)
    throw new StartError(`The backup is damaged: ${path} has another content than it had`);
}
