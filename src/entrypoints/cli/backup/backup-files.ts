import { finished } from 'node:stream/promises';
import type { BackupManifest } from '../../../platform/backup/backup-manifest.js';
import { readReferences } from '../../../platform/backup/backup-objects.js';
import { fileOf, type BackupTarget } from '../../../platform/backup/backup-target.js';
import type { Reference } from '../../../platform/backup/known-objects.queries.js';
import type { OpenBackup } from '../../../platform/backup/open-target.js';
import { StartError } from '../../../platform/config/settings.js';
import type { StoredObject } from '../../../platform/storage/object-store.js';
import { usageError } from '../exit-status.js';

const REFERENCES = 'references.tsv';

/** What rows of a backup refer to. */
export async function* referencesOf(
  { target, name }: OpenBackup,
  { references }: BackupManifest,
): AsyncGenerator<Reference> {
  yield* readReferences(await target.get(fileOf(name, REFERENCES), references));
}

/** Returns what the backup consists of, once all is there that it names, and can be decrypted. */
export async function readWhole(backup: OpenBackup): Promise<BackupManifest> {
  const { target, name } = backup;
  const manifest = await target.manifest(name);
  if (manifest.encryptedTo.length > 0 && !target.ciphers.decrypt)
    throw usageError(
      `The backup is encrypted to ${manifest.encryptedTo.join(', ')}: give the file with the identity as --identity`,
    );
  // The content of tables is compared when they are loaded.
  for (const file of filesOf(backup, manifest))
    await (file.isTable ? requireSize(target, file) : requireContent(target, file));
  return manifest;
}

/** Reads all files but objects and keys to their end. `onProblem`: called for each that is not as it was. */
export async function verifyFiles(
  backup: OpenBackup,
  manifest: BackupManifest,
  onProblem: (problem: string) => void,
): Promise<void> {
  for (const file of filesOf(backup, manifest))
    await requireContent(backup.target, file).catch((error: unknown) => {
      if (!(error instanceof StartError)) throw error;
      onProblem(error.message);
    });
}

interface BackupFile {
  readonly path: string;
  readonly saved: StoredObject;
  readonly isTable?: boolean;
  /** Never encrypted. */
  readonly isPlain?: boolean;
}

const filesOf = ({ name }: OpenBackup, { rows, references, objects }: BackupManifest): BackupFile[] => [
  { path: fileOf(name, REFERENCES), saved: references },
  ...(objects?.lists ?? []).map((list) => ({ path: fileOf(name, list.file), saved: list, isPlain: true })),
  ...rows.tables.map((table) => ({ path: fileOf(name, `rows/${table.file}`), saved: table, isTable: true })),
];

async function requireSize(target: BackupTarget, { path, saved }: BackupFile): Promise<void> {
  const size = await target.sizeOf(path);
  if (size === saved.size) return;
  const what = size === null ? 'is missing' : `has ${size} bytes instead of ${saved.size}`;
  throw new StartError(`The backup is damaged: ${target.pathOf(path)} ${what}`);
}

async function requireContent(target: BackupTarget, { path, saved, isPlain }: BackupFile): Promise<void> {
  const content = await (isPlain ? target.getPlain(path, saved) : target.get(path, saved));
  await finished(content.resume());
}
