import { z } from '../../lib/zod.js';
import { StartError } from '../config/settings.js';

/** Something in a backup is not as it was, or cannot be decrypted. */
export class DamagedError extends StartError {}

const stored = { size: z.number().int(), sha256: z.string() };
const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();
const file = z.string().regex(/^[\w.%-]+$/);

/** Hashes and sizes are those of what is stored: of encrypted content, if it is. */
export const MANIFEST = z.object({
  /** 1: a folder of 1.0, with its own objects. A later release that writes another one still reads these. */
  format: z.union([z.literal(1), z.literal(2)]),
  createdAt: z.string(),
  /** The age recipients; none: it is not encrypted. */
  encryptedTo: list(z.string()).default([]),
  /** Files that rows need, and that were missing or damaged. */
  problems: z.number().int().default(0),
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
  objects: z
    .object({
      count: z.number().int(),
      bytes: z.number().int(),
      /** The only one of 1.0. */
      list: z.object(stored).optional(),
      lists: list(z.object({ file, ...stored })).default([]),
    })
    .transform(({ list: only, lists, ...sum }) => ({
      ...sum,
      lists: only ? [{ file: 'objects.tsv', ...only }] : lists,
    }))
    .nullable(),
  keys: list(file),
  /** The keys that the rows are encrypted with. */
  sealingKeyIds: list(z.string()),
});
/** What a backup consists of. Written last: without it, it is not a backup. */
export type BackupManifest = z.infer<typeof MANIFEST>;
export type SavedRows = BackupManifest['rows'];
export type SavedTable = SavedRows['tables'][number];
export type SavedObjects = NonNullable<BackupManifest['objects']>;

export const BEGUN = MANIFEST.pick({ encryptedTo: true, sealingKeyIds: true });
/** What is known of a backup that may not be finished. */
export type BegunBackup = z.infer<typeof BEGUN>;
