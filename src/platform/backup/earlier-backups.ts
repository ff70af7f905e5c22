import type { Client } from 'pg';
import { StartError } from '../config/settings.js';
import type { BackupTarget } from './backup-target.js';
import type { BegunBackup } from './backup-manifest.js';
import { addObjects, findUnused, forgetObjects } from './known-objects.queries.js';
import { keptOf, type Retention } from './retention.js';
import { SavedBackup } from './saved-backup.js';

/**
 * Finds what earlier backups have, for `saveObjects`: the newest that was finished, and those that were begun since then
 * and interrupted, as far as the same can decrypt them. Throws if the target has those of another service.
 */
export async function findEarlier(
  client: Client,
  target: BackupTarget,
  { encryptedTo, sealingKeyIds }: BegunBackup,
): Promise<void> {
  await forgetObjects(client);
  const { all, finished } = await target.backups();
  for (const name of all.toReversed()) {
    const begun = await target.begun(name).catch(unlessDamaged);
    if (begun && isForeign(begun.sealingKeyIds, sealingKeyIds))
      throw new StartError(`${target.url} has backups of another service: choose another folder or prefix`);
    if (begun?.encryptedTo.join() !== encryptedTo.join()) continue;
    if (!finished.includes(name))
      // It has the lists that are there.
      for await (const list of target.list(`${name}/objects-`))
        await addObjects(client, await target.getPlain(list, null));
    else if (await addFinished(client, target, name).catch(unlessDamaged)) return;
  }
}

/** Keys stay with a service wherever it moves; a new one may have none yet. */
const isForeign = (theirs: readonly string[], ours: readonly string[]): boolean =>
  theirs.length > 0 && ours.length > 0 && !theirs.some((id) => ours.includes(id));

/** Returns whether it has objects. */
async function addFinished(client: Client, target: BackupTarget, name: string): Promise<boolean> {
  const { lists, manifest } = await SavedBackup.open(target, name);
  for (const open of lists) await addObjects(client, await open());
  return manifest.objects !== null;
}

/** What is damaged in an earlier backup does not prevent the next one, which then has its own copy. */
function unlessDamaged(error: unknown): null {
  if (error instanceof StartError) return null;
  throw error;
}

/**
 * After a backup was finished, removes those that were interrupted, and of the finished ones those that are not kept,
 * with the objects that no other has. Returns the names of the finished ones.
 */
export async function removeEarlier(
  client: Client,
  target: BackupTarget,
  newest: string,
  retention: Retention | undefined,
): Promise<string[]> {
  const backups = await target.backups();
  const finished = backups.finished.filter((name) => name <= newest);
  const kept = retention ? keptOf(finished, retention) : new Set(finished);
  const removed = backups.all.filter((name) => name <= newest && !kept.has(name));
  if (removed.length === 0) return [];
  await forgetObjects(client);
  // Before anything is removed: whatever of this cannot be read, nothing is.
  for (const name of kept) await addFinished(client, target, name);
  for (const name of removed) await target.discard(name);
  await target.removeAll('objects/2', (names) => findUnused(client, names));
  return removed.filter((name) => finished.includes(name));
}
