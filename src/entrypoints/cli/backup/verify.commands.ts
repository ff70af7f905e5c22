import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { counted } from '../../../lib/text.js';
import { BackupFolder } from '../../../platform/backup/backup-folder.js';
import { checkObjects, loadObjects, objectsOf } from '../../../platform/backup/backup-objects.js';
import { StartError } from '../../../platform/config/settings.js';
import { readKeyFile } from '../../../platform/secrets/keys.js';
import { refuseLinks } from '../../../platform/storage/symbolic-links.js';
import { failed } from '../exit-status.js';
import { print, type Output } from '../output.js';
import { BackupReport, mediaText } from './backup-report.js';
import { blameFolder } from './folders.js';

/** Checks what `restore` does, of the backup alone. */
export async function verifyBackup(given: string, _: Output, command: Command): Promise<void> {
  // Those that `backup` has as well count as its own, wherever they are.
  const options = command.optsWithGlobals<Output>();
  const folder = new BackupFolder(resolve(given));
  const manifest = await folder.readManifest().catch(blameFolder);
  const report = new BackupReport();
  try {
    await folder.verify(manifest, report.onProblem);
    // Which objects there are to be is in these files.
    if (manifest.objects && report.problems === 0) {
      const damaged = await loadObjects(null, folder, manifest.objects, report);
      await checkObjects(objectsOf(folder), folder, report.onProblem, damaged);
    }
    for (const name of manifest.keys) await verifyKey(folder, name, report);
  } finally {
    report.end();
  }
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

async function verifyKey(folder: BackupFolder, name: string, report: BackupReport): Promise<void> {
  const path = join(folder.keys, name);
  try {
    if ((await readKeyFile(await refuseLinks(folder.path, path))) === null)
      report.onProblem(`${path} is missing`);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    report.onProblem(error.message);
  }
}
