import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import pLimit from 'p-limit';
import type { Client } from 'pg';
import type { Database } from '../database/sql.js';
import { ObjectMissingError, type ObjectStore } from '../storage/object-store.js';
import { SymbolicLinkError } from '../storage/symbolic-links.js';
import { DamagedError, type SavedObjects } from './backup-manifest.js';
import { listsOf, objectName, timeOf, type BackupTarget, type SavedObject } from './backup-target.js';
import {
  countReferences,
  findObject,
  findReferences,
  isReference,
  type Reference,
} from './known-objects.queries.js';

const AT_ONCE = 4;
/** A list is stored after this much, so that what was copied is known after an interruption. */
const LISTED = { objects: 1_000, bytes: 256 * 1024 * 1024 };
/** What `COPY` writes for null. */
const NULL = String.raw`\N`;

export interface ObjectReport {
  /** Called after each object. `fraction`: of all of them, 0 to 1. */
  readonly onObject: (fraction: number, count: number, bytes: number) => void;
  /** Called for what is not as a row, or the backup, says. */
  readonly onProblem: (problem: string) => void;
}

/** Calls back with what is new, too. */
export interface SaveReport extends ObjectReport {
  readonly onNew: (bytes: number) => void;
}

/** The references in a file of a backup. */
export async function* readReferences(content: Readable): AsyncGenerator<Reference> {
  for await (const [key = '', size = NULL, sha256 = NULL] of fieldsOf(content))
    yield { key, size: size === NULL ? null : Number(size), sha256: sha256 === NULL ? null : sha256 };
}

async function* readObjects(lists: AsyncIterable<Readable>): AsyncGenerator<SavedObject> {
  for await (const list of lists)
    for await (const [key = '', size, sha256 = '', backup = '', plainSize = size] of fieldsOf(list))
      yield { key, size: Number(size), sha256, backup, plainSize: Number(plainSize) };
}

async function* fieldsOf(content: Readable): AsyncGenerator<string[]> {
  let rest = '';
  for await (const chunk of content.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.split('\t');
  }
}

async function* only(
  references: AsyncIterable<Reference>,
  wanted: 'objects' | 'folders',
): AsyncGenerator<Reference> {
  for await (const reference of references)
    if (reference.key.endsWith('/') === (wanted === 'folders')) yield reference;
}

/** Copies the objects that rows refer to into a backup, but those that another has. */
export async function saveObjects(
  store: ObjectStore,
  target: BackupTarget,
  { backup, client }: { readonly backup: string; readonly client: Client },
  { onObject, onNew, onProblem }: SaveReport,
): Promise<SavedObjects> {
  const lists: SavedObjects['lists'][number][] = [];
  const inTurn = pLimit(1);
  // A connection runs one statement at a time.
  const database: Database = { query: (text, values) => inTurn(() => client.query(text, values)) };
  const references = await countReferences(database);
  let [count, bytes, done] = [0, 0, 0];
  let open = { lines: [] as string[], bytes: 0 };
  const closeList = async (): Promise<void> => {
    const { lines } = open;
    open = { lines: [], bytes: 0 };
    const file = `objects-${(opened += 1)}.tsv`;
    lists.push({ file, ...(await target.putPlain(`${backup}/${file}`, lines.join(''))) });
  };
  let opened = 0;
  const copy = async (reference: Reference): Promise<string | null> => {
    const { key } = reference;
    let problem: string | null = null;
    const saved = await orProblem(key, async (): Promise<SavedObject> => {
      const known = await findUnchanged(store, target, database, reference);
      if (known) return known;
      const { stored, plain } = await target.put(objectName({ key, backup }), await store.get(key));
      problem = compare(reference, plain);
      open.bytes += stored.size;
      onNew(stored.size);
      return { key, backup, plainSize: plain.size, ...stored };
    });
    if (typeof saved === 'string') return saved;
    open.lines.push(`${[key, saved.size, saved.sha256, saved.backup, saved.plainSize].join('\t')}\n`);
    if (open.lines.length >= LISTED.objects || open.bytes >= LISTED.bytes) await closeList();
    count += 1;
    bytes += saved.plainSize;
    onObject(done / references, count, bytes);
    return problem;
  };
  // First what has a size or a hash to compare; some of that is in one of the folders.
  await forEachOf(only(findReferences(database), 'objects'), async (reference) => {
    const problem = await copy(reference);
    if (problem) onProblem(problem);
    done += 1;
  });
  await forEachOf(only(findReferences(database), 'folders'), async ({ key: below }) => {
    const problem = await orProblem(below, async () => {
      let isEmpty = true;
      for await (const { key } of store.list(below)) {
        isEmpty = false;
        const failed = (await isReference(database, key))
          ? null
          : await copy({ key, size: null, sha256: null });
        if (failed) onProblem(failed);
      }
      return isEmpty ? `${below}: nothing is there` : null;
    });
    if (problem) onProblem(problem);
    done += 1;
  });
  if (open.lines.length > 0) await closeList();
  return { count, bytes, lists };
}

/**
 * What another backup has of an object: nothing is written twice under the same key, so that it is the same if its size
 * is, if it was not written since that backup began, if the row knows of no other hash, and if it is still there.
 */
async function findUnchanged(
  store: ObjectStore,
  target: BackupTarget,
  database: Database,
  reference: Reference,
): Promise<SavedObject | null> {
  const known = await findObject(database, reference.key);
  if (!known) return null;
  const { plainSize: size, sha256 } = known;
  // The hash of what is encrypted says nothing about the content.
  if (compare(reference, target.ciphers.encrypt ? { size } : { size, sha256 })) return null;
  const found = await store.stat(known.key);
  const isSame = found?.size === size && found.modifiedAt < timeOf(known.backup);
  return isSame && (await target.sizeOf(objectName(known))) === known.size ? known : null;
}

/**
 * Copies the objects of a backup into a store; without a store, only reads them. Returns the keys of damaged objects,
 * which are not copied. `isAgain`: objects that are in the store already are not copied again.
 */
export async function loadObjects(
  store: ObjectStore | null,
  target: BackupTarget,
  { backup, objects, isAgain = false }: LoadedObjects,
  { onObject, onProblem }: ObjectReport,
): Promise<ReadonlySet<string>> {
  const damaged = new Set<string>();
  let count = 0;
  let bytes = 0;
  await forEachOf(readObjects(listsOf(target, backup, objects)), async (saved) => {
    const { key, plainSize } = saved;
    if (!isAgain || (await store?.stat(key))?.size !== plainSize) {
      const problem = await orProblem(key, async () => {
        const content = await target.get(objectName(saved), saved, `${key}:`);
        await (store ? store.put(key, content) : finished(content.resume()));
      });
      if (typeof problem === 'string') {
        damaged.add(key);
        onProblem(problem);
        return;
      }
    }
    count += 1;
    bytes += plainSize;
    onObject(bytes / Math.max(1, objects.bytes), count, bytes);
  });
  return damaged;
}

interface LoadedObjects {
  readonly backup: string;
  readonly objects: SavedObjects;
  readonly isAgain?: boolean;
}

/** Looks whether the store has what the rows of a backup refer to, except for what is known not to be there. */
export async function checkObjects(
  store: ObjectStore,
  references: AsyncGenerator<Reference>,
  onProblem: ObjectReport['onProblem'],
  leftOut: ReadonlySet<string> = new Set(),
): Promise<void> {
  await forEachOf(references, async (reference) => {
    const { key } = reference;
    if (leftOut.has(key)) return;
    const problem = await orProblem(key, async () =>
      key.endsWith('/')
        ? (await isBelow(store, key)) || `${key}: nothing is there`
        : compare(reference, await store.stat(key)),
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
  if (sha256 !== null && found.sha256 !== undefined && found.sha256 !== sha256)
    return `${key}: has another content than it had`;
  return null;
}

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
