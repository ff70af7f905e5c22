import { finished } from 'node:stream/promises';
import pLimit from 'p-limit';
import type { Client } from 'pg';
import type { Database } from '../database/sql.js';
import type { ObjectStore } from '../storage/object-store.js';
import type { SavedObjects } from './backup-manifest.js';
import { differenceOf, timeOf, type BackupTarget } from './backup-target.js';
import {
  countReferences,
  findObject,
  findReferences,
  isReference,
  type Reference,
} from './known-objects.queries.js';
import { objectName, orReport, type SavedBackup, type SavedObject } from './saved-backup.js';

const AT_ONCE = 4;
/** A list is stored after this much, so that what was copied is known after an interruption. */
const LISTED = { objects: 1_000, bytes: 256 * 1024 * 1024 };

export interface ObjectReport {
  /** Called after each object. `fraction`: of all of them, 0 to 1. */
  readonly onObject: (fraction: number, count: number, bytes: number) => void;
  /** Called for what is not as a row, or the backup, says. */
  readonly onProblem: (problem: string) => void;
  /** Called for each object that no other backup has; bytes as they are stored. */
  readonly onNew: (bytes: number) => void;
}

/** Copies the objects that rows refer to into a backup, but those that another has. */
export async function saveObjects(
  store: ObjectStore,
  target: BackupTarget,
  { backup, client }: { readonly backup: string; readonly client: Client },
  { onObject, onNew, onProblem }: ObjectReport,
): Promise<SavedObjects> {
  const lists: SavedObjects['lists'][number][] = [];
  const inTurn = pLimit(1);
  // A connection runs one statement at a time.
  const database: Database = { query: (text, values) => inTurn(() => client.query(text, values)) };
  const references = await countReferences(database);
  let [count, bytes, done, opened] = [0, 0, 0, 0];
  let open = { lines: [] as string[], bytes: 0 };
  const closeList = async (): Promise<void> => {
    const { lines } = open;
    open = { lines: [], bytes: 0 };
    const file = `objects-${(opened += 1)}.tsv`;
    lists.push({ file, ...(await target.putPlain(`${backup}/${file}`, lines.join(''))) });
  };
  const copyNew = async (reference: Reference): Promise<SavedObject> => {
    const { key } = reference;
    const { stored, plain } = await target.put(objectName({ key, backup }), await store.get(key));
    const problem = differenceOf(reference, plain);
    if (problem) onProblem(`${key}: ${problem}`);
    open.bytes += stored.size;
    onNew(stored.size);
    return { key, backup, plainSize: plain.size, ...stored };
  };
  const copy = async (reference: Reference): Promise<void> => {
    const saved = (await findUnchanged(store, target, database, reference)) ?? (await copyNew(reference));
    open.lines.push(`${[saved.key, saved.size, saved.sha256, saved.backup, saved.plainSize].join('\t')}\n`);
    if (open.lines.length >= LISTED.objects || open.bytes >= LISTED.bytes) await closeList();
    count += 1;
    bytes += saved.plainSize;
    onObject(done / references, count, bytes);
  };
  const copyBelow = async (folder: string): Promise<void> => {
    let isEmpty = true;
    for await (const { key } of store.list(folder)) {
      isEmpty = false;
      // What has a size or a hash to compare has its turn.
      if (await isReference(database, key)) continue;
      await orReport(onProblem, () => copy({ key, size: null, sha256: null }));
    }
    if (isEmpty) onProblem(`${folder}: nothing is there`);
  };
  await forEachOf(findReferences(database), async (reference) => {
    const { key } = reference;
    await orReport(onProblem, () => (key.endsWith('/') ? copyBelow(key) : copy(reference)));
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
  if (differenceOf(reference, target.cipher ? { size } : { size, sha256 })) return null;
  const found = await store.stat(known.key);
  const isSame = found?.size === size && found.modifiedAt < timeOf(known.backup);
  return isSame && (await target.stat(objectName(known)))?.size === known.size ? known : null;
}

/**
 * Copies the objects of a backup into a store; without a store, only reads them. Returns the keys of damaged objects,
 * which are not copied. `isAgain`: objects that are in the store already are not copied again.
 */
export async function loadObjects(
  store: ObjectStore | null,
  backup: SavedBackup,
  { onObject, onProblem }: ObjectReport,
  isAgain = false,
): Promise<ReadonlySet<string>> {
  const damaged = new Set<string>();
  const all = Math.max(1, backup.manifest.objects?.bytes ?? 0);
  let [count, bytes] = [0, 0];
  const load = async (saved: SavedObject): Promise<void> => {
    const { key, plainSize } = saved;
    if (isAgain && (await store?.stat(key))?.size === plainSize) return;
    const content = await backup.get(objectName(saved), saved, `${key}:`);
    await (store ? store.put(key, content) : finished(content.resume()));
  };
  await forEachOf(backup.objects(), async (saved) => {
    const problem = (text: string): void => {
      damaged.add(saved.key);
      onProblem(text);
    };
    await orReport(problem, async () => {
      await load(saved);
      count += 1;
      bytes += saved.plainSize;
      onObject(bytes / all, count, bytes);
    });
  });
  return damaged;
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
    await orReport(onProblem, async () => {
      const problem = key.endsWith('/')
        ? await nothingBelow(store, key)
        : differenceOf(reference, await store.stat(key));
      if (problem) onProblem(`${key}: ${problem}`);
    });
  });
}

async function nothingBelow(store: ObjectStore, prefix: string): Promise<string | null> {
  for await (const _ of store.list(prefix)) return null;
  return 'nothing is there';
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
