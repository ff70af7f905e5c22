import { finished } from 'node:stream/promises';
import type { BackupManifest } from '../../../platform/backup/backup-manifest.js';
import { readReferences } from '../../../platform/backup/backup-objects.js';
import { fileOf } from '../../../platform/backup/backup-target.js';
import type { Reference } from '../../../platform/backup/known-objects.queries.js';
import type { OpenBackup } from '../../../platform/backup/open-target.js';
import { StartError } from '../../../platform/config/settings.js';
import type { StoredObject } from '../../../platform/storage/object-store.js';
import { usageError } from '../exit-status.js';

/** What rows of a backup refer to. */
export async function* referencesOf(
  { target, name }: OpenBackup,
  { references }: BackupManifest,
): AsyncGenerator<Reference> {
  yield* readReferences(await target.get(fileOf(name, 'references.tsv'), references));
}

/** Returns what the backup consists of, once all is there that it names, and can be decrypted. */
export async function readWhole(backup: OpenBackup): Promise<BackupManifest> {
  const { target, name } = backup;
  const manifest = await target.manifest(name);
  if (manifest.encryptedTo.length > 0 && !target.ciphers.decrypt)
    throw usageError(
      `The backup is encrypted to ${manifest.encryptedTo.join(', ')}: give the file with the identity as --identity`,
    );
  for (const [path, saved] of rowsOf(backup, manifest)) {
    const size = await target.sizeOf(path);
    if (size === saved.size) continue;
    const what = size === null ? 'is missing' : `has ${size} bytes instead of ${saved.size}`;
    throw new StartError(`The backup is damaged: ${target.pathOf(path)} ${what}`);
  }
  // The content of rows is compared when they are loaded.
  for (const [path, saved] of listsOf(backup, manifest))
    await finished((await target.getPlain(path, saved)).resume());
  for await (const _ of referencesOf(backup, manifest)) break;
  return manifest;
}

type File = readonly [path: string, saved: StoredObject, isPlain?: boolean];

const rowsOf = ({ name }: OpenBackup, { rows, references }: BackupManifest): File[] => [
  [fileOf(name, 'references.tsv'), references],
  ...rows.tables.map((table): File => [fileOf(name, `rows/${table.file}`), table]),
];

const listsOf = ({ name }: OpenBackup, { objects }: BackupManifest): File[] =>
  (objects?.lists ?? []).map((list): File => [fileOf(name, list.file), list, true]);

/** Reads all files but objects and keys to their end. `onProblem`: called for each that is not as it was. */
export async function verifyFiles(
  backup: OpenBackup,
  manifest: BackupManifest,
  onProblem: (problem: string) => void,
): Promise<void> {
  const { target } = backup;
  for (const [path, saved, isPlain] of [...listsOf(backup, manifest), ...rowsOf(backup, manifest)])
    try {
      const content = isPlain ? target.getPlain(path, saved) : target.get(path, saved);
      await finished((await content).resume());
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      onProblem(error.message);
    }
}
