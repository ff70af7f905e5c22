import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline as pipelineOf, Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { DiskObjectStore } from '../storage/disk.object-store.js';
import { Meter, ObjectMissingError, type ObjectStore } from '../storage/object-store.js';
import { SymbolicLinkError } from '../storage/symbolic-links.js';
import type { BackupFolder, SavedObjects } from './backup-folder.js';

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

async function* readLines(path: string): AsyncGenerator<Reference> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const [key = '', size = NULL, sha256 = NULL] = line.split('\t');
    yield { key, size: size === NULL ? null : Number(size), sha256: sha256 === NULL ? null : sha256 };
  }
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
  const target = objectsOf(folder);
  await target.prepare();
  const list = new Meter();
  const file = await open(folder.objectList, 'wx', 0o600);
  const listed = pipeline(list, file.createWriteStream({ flush: true }));
  // Reported at the end.
  listed.catch(() => undefined);
  let references = 0;
  for await (const _ of readLines(folder.references)) references += 1;
  let count = 0;
  let bytes = 0;
  let done = 0;
  const copy = async (reference: Reference): Promise<string | null> => {
    const { key } = reference;
    const stored = await orProblem(key, async () => target.put(key, await store.get(key)));
    if (typeof stored === 'string') return stored;
    if (!list.write(`${key}\t${stored.size}\t${stored.sha256}\n`))
      await Promise.race([once(list, 'drain'), listed]);
    count += 1;
    bytes += stored.size;
    onObject(done / references, count, bytes);
    return compare(reference, stored);
  };
  // First what has a size or a hash to compare; some of that is in one of the folders.
  await forEachOf(only(readLines(folder.references), 'objects'), async (reference) => {
    const problem = await copy(reference);
    if (problem) onProblem(problem);
    done += 1;
  });
  await forEachOf(only(readLines(folder.references), 'folders'), async ({ key: below }) => {
    const problem = await orProblem(below, async () => {
      let isEmpty = true;
      for await (const { key } of store.list(below)) {
        isEmpty = false;
        const failed = (await target.stat(key)) ? null : await copy({ key, size: null, sha256: null });
        if (failed) onProblem(failed);
      }
      return isEmpty ? `${below}: nothing is there` : null;
    });
    if (problem) onProblem(problem);
    done += 1;
  });
  list.end();
  await listed;
  await rm(join(target.root, '.partial'), { recursive: true });
  return { count, bytes, list: list.result() };
}

/**
 * Copies the objects of a backup into a store; without a store, only reads them. `bytes`: how many there are in all, for
 * the progress. Returns the keys of damaged objects, which are not copied. `isAgain`: objects that are in the store
 * already are not copied again.
 */
export async function loadObjects(
  store: ObjectStore | null,
  folder: BackupFolder,
  { bytes: all, isAgain = false }: Pick<SavedObjects, 'bytes'> & { readonly isAgain?: boolean },
  { onObject, onProblem }: ObjectReport,
): Promise<ReadonlySet<string>> {
  const source = objectsOf(folder);
  const damaged = new Set<string>();
  let count = 0;
  let bytes = 0;
  await forEachOf(readLines(folder.objectList), async (listed) => {
    const { key, size } = listed;
    if (!isAgain || (await store?.stat(key))?.size !== size) {
      const problem = await orProblem(key, async () => {
        const content = Readable.from(unchanged(await source.get(key), listed), { objectMode: false });
        await (store ? store.put(key, content) : finished(content.resume()));
      });
      if (typeof problem === 'string') {
        damaged.add(key);
        onProblem(problem);
        return;
      }
    }
    count += 1;
    bytes += size ?? 0;
    onObject(bytes / Math.max(1, all), count, bytes);
  });
  return damaged;
}

/** Fails at the end of an object that is not as it was, so that a store does not take it. */
async function* unchanged(content: Readable, listed: Reference): AsyncGenerator<Buffer> {
  const meter = new Meter();
  // Either ends with the other; what reads the meter gets the error.
  pipelineOf(content, meter, () => undefined);
  for await (const chunk of meter) yield chunk as Buffer;
  const problem = compare(listed, meter.result());
  if (problem !== null) throw new DamagedError(problem);
}

class DamagedError extends Error {}

/** Looks whether the store has what the rows of a backup refer to, except for what is known not to be there. */
export async function checkObjects(
  store: ObjectStore,
  folder: BackupFolder,
  onProblem: ObjectReport['onProblem'],
  leftOut: ReadonlySet<string> = new Set(),
): Promise<void> {
  await forEachOf(readLines(folder.references), async (reference) => {
    const { key } = reference;
    if (leftOut.has(key)) return;
    const problem = await orProblem(key, async () =>
      key.endsWith('/')
        ? (await isBelow(store, key)) || `${key}: nothing is there`
        : compare({ ...reference, sha256: null }, await store.stat(key)),
    );
    if (typeof problem === 'string') onProblem(problem);
  });
}

async function isBelow(store: ObjectStore, prefix: string): Promise<boolean> {
  for await (const _ of store.list(prefix)) return true;
  return false;
}

/** Returns what the work does, or what is wrong with the object if that is why it fails. */
async function orProblem<Result>(key: string, work: () => Promise<Result>): Promise<Result | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ObjectMissingError) return `${key}: is missing`;
    if (error instanceof SymbolicLinkError || error instanceof DamagedError) return error.message;
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

export const objectsOf = ({ objects, path }: BackupFolder): DiskObjectStore =>
  new DiskObjectStore(objects, path);

/** Works on several of the items at a time. After a failure, begins no more, and waits for those that it has begun. */
async function forEachOf<Item>(
  items: AsyncGenerator<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const take = async (): Promise<void> => {
    // All take from the same generator, which a failure ends.
    for await (const item of items) await work(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, take));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}
