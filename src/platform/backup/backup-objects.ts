import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { DiskObjectStore } from '../storage/disk.object-store.js';
import { Meter } from '../storage/meter.js';
import { ObjectMissingError, type ObjectStore, type StoredObject } from '../storage/object-store.js';
import type { BackupFolder } from './backup-folder.js';
import { forEachOf } from './in-parallel.js';

const AT_ONCE = 4;
/** What `COPY` writes for null. */
const NULL = String.raw`\N`;

/** What a row says about an object, or about all below a key that ends with `/`. */
interface Reference {
  readonly key: string;
  readonly size: number | null;
  readonly sha256: string | null;
}

export interface ObjectReport {
  /** Called after each object. `fraction`: of all of them, 0 to 1. */
  readonly onObject: (fraction: number, count: number, bytes: number) => void;
  /** Called for what is not as a row, or the backup, says. */
  readonly onProblem: (problem: string) => void;
}

export interface SavedObjects {
  readonly count: number;
  readonly bytes: number;
  readonly list: StoredObject;
}

async function* readLines(path: string): AsyncGenerator<Reference> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const [key = '', size = NULL, sha256 = NULL] = line.split('\t');
    yield { key, size: size === NULL ? null : Number(size), sha256: sha256 === NULL ? null : sha256 };
  }
}

async function countLines(path: string): Promise<number> {
  let count = 0;
  for await (const _ of readLines(path)) count += 1;
  return count;
}

async function* only(
  references: AsyncIterable<Reference>,
  wanted: 'objects' | 'folders',
): AsyncGenerator<Reference> {
  for await (const reference of references)
    if (reference.key.endsWith('/') === (wanted === 'folders')) yield reference;
}

/** Copies the objects that rows refer to into a backup. */
export async function saveObjects(
  store: ObjectStore,
  folder: BackupFolder,
  { onObject, onProblem }: ObjectReport,
): Promise<SavedObjects> {
  const target = await openObjects(folder);
  const list = new Meter();
  const file = await open(folder.objectList, 'wx', 0o600);
  const listed = pipeline(list, file.createWriteStream({ flush: true }));
  // Reported at the end.
  listed.catch(() => undefined);
  const references = await countLines(folder.references);
  let count = 0;
  let bytes = 0;
  let done = 0;
  const copy = async (key: string): Promise<StoredObject | null> => {
    const stored = await copyObject(store, target, key);
    if (!stored) return null;
    if (!list.write(`${key}\t${stored.size}\t${stored.sha256}\n`))
      await Promise.race([once(list, 'drain'), listed]);
    count += 1;
    bytes += stored.size;
    onObject(done / references, count, bytes);
    return stored;
  };
  // First what has a size or a hash to compare; some of that is in one of the folders.
  await forEachOf(only(readLines(folder.references), 'objects'), AT_ONCE, async (reference) => {
    const problem = compare(reference, await copy(reference.key));
    if (problem) onProblem(problem);
    done += 1;
  });
  await forEachOf(only(readLines(folder.references), 'folders'), AT_ONCE, async ({ key: below }) => {
    let isEmpty = true;
    for await (const { key } of store.list(below)) {
      isEmpty = false;
      if (!(await target.stat(key))) await copy(key);
    }
    if (isEmpty) onProblem(`${below}: nothing is there`);
    done += 1;
  });
  list.end();
  await listed;
  await rm(join(target.root, '.partial'), { recursive: true });
  return { count, bytes, list: list.result() };
}

/** Copies the objects of a backup, so many bytes, into a store. `isAgain`: those that are there already are left. */
export async function loadObjects(
  store: ObjectStore,
  folder: BackupFolder,
  { bytes: all, isAgain }: Pick<SavedObjects, 'bytes'> & { readonly isAgain: boolean },
  { onObject, onProblem }: ObjectReport,
): Promise<void> {
  const source = new DiskObjectStore(folder.objects);
  let count = 0;
  let bytes = 0;
  await forEachOf(readLines(folder.objectList), AT_ONCE, async (listed) => {
    const { key, size } = listed;
    if (!isAgain || (await store.stat(key))?.size !== size) {
      const problem = compare(listed, await copyObject(source, store, key));
      if (problem) onProblem(`the backup is damaged: ${problem}`);
    }
    count += 1;
    bytes += size ?? 0;
    onObject(bytes / Math.max(1, all), count, bytes);
  });
}

/** Looks whether the store has what the rows of a backup refer to. */
export async function checkObjects(
  store: ObjectStore,
  folder: BackupFolder,
  onProblem: ObjectReport['onProblem'],
): Promise<void> {
  await forEachOf(readLines(folder.references), AT_ONCE, async (reference) => {
    const { key } = reference;
    const problem = key.endsWith('/')
      ? (await isBelow(store, key)) || `${key}: nothing is there`
      : compare({ ...reference, sha256: null }, await store.stat(key));
    if (typeof problem === 'string') onProblem(problem);
  });
}

async function isBelow(store: ObjectStore, prefix: string): Promise<boolean> {
  for await (const _ of store.list(prefix)) return true;
  return false;
}

async function copyObject(from: ObjectStore, to: ObjectStore, key: string): Promise<StoredObject | null> {
  try {
    return await to.put(key, await from.get(key));
  } catch (error) {
    if (error instanceof ObjectMissingError) return null;
    throw error;
  }
}

function compare(
  { key, size, sha256 }: Reference,
  found: { readonly size: number; readonly sha256?: string } | null,
): string | null {
  if (!found) return `${key}: is missing`;
  if (size !== null && found.size !== size) return `${key}: has ${found.size} bytes instead of ${size}`;
  if (sha256 !== null && found.sha256 !== sha256) return `${key}: has another content than it had`;
  return null;
}

async function openObjects({ objects }: BackupFolder): Promise<DiskObjectStore> {
  const store = new DiskObjectStore(objects);
  await store.prepare();
  return store;
}
