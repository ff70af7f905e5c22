import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { bytesText } from '../../../lib/amounts.js';
import { OBJECT_REFERENCES, REMOVAL_JOBS } from '../../../modules/media/public/media-objects.js';
import { BackupFolder, type BackupManifest } from '../../../platform/backup/backup-folder.js';
import { checkObjects, saveObjects } from '../../../platform/backup/backup-objects.js';
import { saveRows } from '../../../platform/backup/save-rows.js';
import { readSettings } from '../../../platform/config/read-settings.js';
import { StartError } from '../../../platform/config/settings.js';
import { holdRemovals } from '../../../platform/database/backup-lock.js';
import { isAnyRunning } from '../../../platform/jobs/jobs.queries.js';
import { openStore } from '../../../platform/storage/open-store.js';
import { writeBackup } from '../../../platform/backup/backups.queries.js';
import { notice, print, type Output } from '../output.js';
import { findSealingKeyIds, saveKeys } from './backup-keys.js';
import { BackupReport, mediaText } from './backup-report.js';
import { withServer, type OpenServer } from './database-server.js';
import { blameFolder, explainFailure, requireApart } from './folders.js';

const LOOK_EVERY_MS = 100;

export interface BackupOptions extends Output {
  readonly withoutMedia?: boolean;
}

export async function backUp(given: string, options: BackupOptions): Promise<void> {
  const path = resolve(given);
  await requireApart(path, readSettings().dataDir);
  await withServer({}, async (server) => {
    const folder = new BackupFolder(path);
    const report = new BackupReport();
    await folder
      .create()
      .catch(blameFolder)
      .catch((error: unknown) => {
        throw explainFailure(error, path, 'Nothing was written.');
      });
    try {
      const manifest = await write(server, folder, options, report);
      await folder.finish(manifest);
      report.end();
      printManifest(path, manifest, options, report.problems);
    } catch (error) {
      report.end();
      await folder.discard();
      throw explainFailure(error, path, 'What was written of the backup has been removed.');
    }
    await remember(server.client, options, report);
    report.requireNone('The backup is complete');
  });
}

/** For `status`, which says how old the last backup is. */
async function remember(client: Client, options: BackupOptions, { problems }: BackupReport): Promise<void> {
  const finished = { host: hostname(), media: !options.withoutMedia, problems };
  await writeBackup(client, finished).catch((error: Error) =>
    notice(`The database could not remember the backup, so that status does not know it: ${error.message}`),
  );
}

async function write(
  { settings, client }: OpenServer,
  folder: BackupFolder,
  { withoutMedia }: BackupOptions,
  report: BackupReport,
): Promise<BackupManifest> {
  const createdAt = new Date();
  const store = await openStore(settings, { followsLinks: false });
  await keepObjects(client);
  const wanted = { query: OBJECT_REFERENCES, path: folder.references };
  const { rows, further: references } = await saveRows(client, folder.rows, wanted, report.onTable);
  const sealingKeyIds = await findSealingKeyIds(client);
  const keys = await saveKeys(settings, folder);
  const objects = withoutMedia ? null : await saveObjects(store, folder, report);
  if (withoutMedia) await checkObjects(store, folder, report.onProblem);
  return { format: 1, createdAt: createdAt.toISOString(), rows, references, objects, keys, sealingKeyIds };
}

/** From here on, no object is removed that rows refer to. */
async function keepObjects(client: Client): Promise<void> {
  if (!(await holdRemovals(client))) throw new StartError('Another backup of this database is running');
  while (await isAnyRunning(client, Object.values(REMOVAL_JOBS))) await setTimeout(LOOK_EVERY_MS);
}

function printManifest(
  path: string,
  { rows, objects, keys }: BackupManifest,
  options: BackupOptions,
  problems: number,
): void {
  const bytes = rows.tables.reduce((sum, { size }) => sum + size, 0);
  const result = {
    folder: path,
    tables: rows.tables.length,
    database_bytes: bytes,
    media_files: objects?.count ?? null,
    media_bytes: objects?.bytes ?? null,
    keys,
    problems,
  };
  const held =
    keys.length > 0 ? `and ${keys.join(', ')}: keep it private` : 'and no keys: those are in the settings';
  print(options, result, `${path}: the database (${bytesText(bytes)}), ${mediaText(objects)}, ${held}.`);
}
