import type { Command } from 'commander';
import { counted } from '../../../lib/text.js';
import { loadObjects } from '../../../platform/backup/backup-objects.js';
import { openBackup } from '../../../platform/backup/open-target.js';
import { orReport } from '../../../platform/backup/saved-backup.js';
import { readSettings } from '../../../platform/config/read-settings.js';
import { failed } from '../exit-status.js';
import { notice, print } from '../output.js';
import { readIdentity } from './age-keys.js';
import { BackupReport, mediaText } from './backup-report.js';
import { blameFolder } from './folders.js';
import type { RestoreOptions } from './restore.commands.js';

/** Checks what `restore` does, of the backup alone; without an identity, whether what is encrypted is as it was. */
export async function verifyBackup(given: string, _: RestoreOptions, command: Command): Promise<void> {
  // Those that `backup` has as well count as its own, wherever they are.
  const options = command.optsWithGlobals<RestoreOptions>();
  const decrypt = await readIdentity(options.identity);
  const backup = await openBackup(given, readSettings, decrypt).catch(blameFolder);
  const { manifest, isSealed } = backup;
  if (isSealed) notice('Without --identity, nothing is decrypted: only whether it is as it was stored.');
  const report = new BackupReport();
  try {
    await backup.verify(report.onProblem);
    // Which objects there are to be is in these files.
    if (report.problems === 0) await loadObjects(null, backup, report);
    if (!isSealed) for (const file of manifest.keys) await orReport(report.onProblem, () => backup.key(file));
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
