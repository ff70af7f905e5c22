import type { Command } from 'commander';
import { counted } from '../../../lib/text.js';
import { loadObjects } from '../../../platform/backup/backup-objects.js';
import { openBackup, type OpenBackup } from '../../../platform/backup/open-target.js';
import { readSettings } from '../../../platform/config/read-settings.js';
import { StartError } from '../../../platform/config/settings.js';
import { failed } from '../exit-status.js';
import { notice, print } from '../output.js';
import { readIdentity } from './age-files.js';
import { verifyFiles } from './backup-files.js';
import { readSavedKey } from './backup-keys.js';
import { BackupReport, mediaText } from './backup-report.js';
import { blameFolder } from './folders.js';
import type { RestoreOptions } from './restore.commands.js';

/** Checks what `restore` does, of the backup alone; without an identity, whether what is encrypted is as it was. */
export async function verifyBackup(given: string, _: RestoreOptions, command: Command): Promise<void> {
  // Those that `backup` has as well count as its own, wherever they are.
  const options = command.optsWithGlobals<RestoreOptions>();
  const decrypt = await readIdentity(options.identity);
  const backup = await openBackup(given, readSettings, { decrypt }).catch(blameFolder);
  const { target, name } = backup;
  const manifest = await target.manifest(name).catch(blameFolder);
  const isSealed = manifest.encryptedTo.length > 0 && !decrypt;
  if (isSealed) notice('Without --identity, nothing is decrypted: only whether it is as it was stored.');
  const report = new BackupReport();
  try {
    await verifyFiles(backup, manifest, report.onProblem);
    // Which objects there are to be is in these files.
    const { objects } = manifest;
    if (objects && report.problems === 0) await loadObjects(null, target, { backup: name, objects }, report);
    if (!isSealed) for (const file of manifest.keys) await verifyKey(backup, file, report);
  } finally {
    report.end();
  }
  if (manifest.problems > 0)
    report.onProblem(`${counted(manifest.problems, 'media file')} were missing or damaged when it was taken`);
  const { createdAt, rows } = manifest;
  const objects = manifest.objects && report.handled;
  const { problems } = report;
  const result = {
    created_at: createdAt,
    tables: rows.tables.length,
    media_files: objects?.count ?? null,
    problems,
  };
  const held = `${counted(rows.tables.length, 'table')} and ${mediaText(objects)}`;
  if (options.json || problems === 0)
    print(options, result, `The backup of ${createdAt} is complete, with ${held}.`);
  if (problems === 0) return;
  throw failed(`The backup of ${createdAt} is damaged: ${counted(problems, 'problem')}, see above.`);
}

async function verifyKey(backup: OpenBackup, file: string, report: BackupReport): Promise<void> {
  try {
    await readSavedKey(backup, file);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    report.onProblem(error.message);
  }
}
