import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { bytesText } from '../../../lib/amounts.js';
import { quoteForMessage } from '../../../lib/text.js';
import { OBJECT_REFERENCES, REMOVAL_JOBS } from '../../../modules/media/public/media-objects.js';
import type { BackupManifest, BegunBackup } from '../../../platform/backup/backup-manifest.js';
import { checkObjects, saveObjects } from '../../../platform/backup/backup-objects.js';
import { nameOf, timeOf, type BackupTarget } from '../../../platform/backup/backup-target.js';
import { writeBackup } from '../../../platform/backup/backups.queries.js';
import { findEarlier, removeEarlier } from '../../../platform/backup/earlier-backups.js';
import { findReferences } from '../../../platform/backup/known-objects.queries.js';
import { isBucket, openTarget } from '../../../platform/backup/open-target.js';
import { readRetention, type Retention } from '../../../platform/backup/retention.js';
import { saveRows } from '../../../platform/backup/save-rows.js';
import { readSettings } from '../../../platform/config/read-settings.js';
import { StartError } from '../../../platform/config/settings.js';
import { holdRemovals } from '../../../platform/database/backup-lock.js';
import { isAnyRunning } from '../../../platform/jobs/jobs.queries.js';
import { openStore } from '../../../platform/storage/open-store.js';
import { failed, usageError } from '../exit-status.js';
import { ifGiven } from '../option-values.js';
import { notice, print, type Output } from '../output.js';
import { cipherTo, readRecipients } from './age-keys.js';
import { findSealingKeyIds, saveKeys } from './backup-keys.js';
import { BackupReport, mediaText } from './backup-report.js';
import { withServer, type OpenServer } from './database-server.js';
import { blameFolder, explainFailure, requireApart, saysFull } from './folders.js';

const LOOK_EVERY_MS = 100;

export interface BackupOptions extends Output {
  readonly withoutMedia?: boolean;
  readonly encryptTo?: readonly string[];
  readonly keep?: string;
}

export async function backUp(given: string, options: BackupOptions): Promise<void> {
  const settings = readSettings();
  const retention = ifGiven(options.keep, retentionOption);
  const encryptedTo = await readRecipients(options.encryptTo ?? []);
  const encrypt = cipherTo(encryptedTo);
  if (!isBucket(given)) await requireApart(resolve(given), settings.dataDir);
  await withServer({}, async (server) => {
    const { client } = server;
    await holdObjects(client);
    const target = await openTarget(given, settings, encrypt)
      .catch(blameFolder)
      .catch((error: unknown) => {
        throw explainFailure(error, given, 'Nothing was written.');
      });
    const name = nameOf(new Date());
    const report = new BackupReport();
    const begun = { encryptedTo, sealingKeyIds: await findSealingKeyIds(client) };
    let manifest: BackupManifest;
    try {
      await findEarlier(client, target, begun);
      await target.begin(name, begun);
      manifest = await write(server, target, { ...begun, ...options, name }, report);
    } catch (error) {
      throw explainFailure(error, target.url, await unfinished(target, name, error));
    } finally {
      report.end();
    }
    await remember(client, options, report);
    const removed = await removeEarlier(client, target, name, retention).catch((error: Error) => {
      throw failed(`${target.pathOf(name)} is complete, but earlier ones were not removed: ${error.message}`);
    });
    printManifest(target.pathOf(name), manifest, options, { report, removed });
    report.requireNone('The backup is complete');
  });
}

function retentionOption(value: string): Retention {
  const retention = readRetention(value);
  if (retention) return retention;
  throw usageError(
    `--keep: must be how many days, weeks and months keep a backup, such as 7d,4w,12m, not ${quoteForMessage(value)}`,
  );
}

/** What becomes of a backup that failed. The next one uses what it has, unless that fills the disk. */
async function unfinished(target: BackupTarget, name: string, error: unknown): Promise<string> {
  if (!saysFull(error)) return 'Run the same command again to continue.';
  await target.discard(name);
  await target.removeAll(`objects/${name}/`);
  return 'What was written of the backup has been removed.';
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
  target: BackupTarget,
  { name, encryptedTo, withoutMedia }: BackupOptions & BegunBackup & { readonly name: string },
  report: BackupReport,
): Promise<BackupManifest> {
  const store = await openStore(settings, { followsLinks: false });
  const put = async (file: string, content: Readable) =>
    (await target.put(`${name}/${file}`, content)).stored;
  const saved = await saveRows(client, put, OBJECT_REFERENCES, report.onTable);
  const sealingKeyIds = await findSealingKeyIds(client);
  const keys = await saveKeys(settings, target, name);
  const objects = withoutMedia ? null : await saveObjects(store, target, { backup: name, client }, report);
  if (withoutMedia) await checkObjects(store, findReferences(client), report.onProblem);
  const { problems } = report;
  const createdAt = timeOf(name).toISOString();
  const about = { format: 2, createdAt, encryptedTo, problems, sealingKeyIds } as const;
  const manifest = { ...about, ...saved, objects, keys };
  await target.finish(name, manifest);
  return manifest;
}

/** From here on, no object is removed that rows refer to. */
async function holdObjects(client: Client): Promise<void> {
  if (!(await holdRemovals(client))) throw new StartError('Another backup of this database is running');
  while (await isAnyRunning(client, Object.values(REMOVAL_JOBS))) await setTimeout(LOOK_EVERY_MS);
}

function printManifest(
  path: string,
  { rows, objects, keys, encryptedTo }: BackupManifest,
  options: BackupOptions,
  { report, removed }: { readonly report: BackupReport; readonly removed: readonly string[] },
): void {
  const { problems, added } = report;
  const bytes = rows.tables.reduce((sum, { size }) => sum + size, 0);
  const result = {
    folder: path,
    tables: rows.tables.length,
    database_bytes: bytes,
    media_files: objects?.count ?? null,
    media_bytes: objects?.bytes ?? null,
    new_media_files: objects && added.count,
    new_media_bytes: objects && added.bytes,
    encrypted: encryptedTo.length > 0,
    removed,
    keys,
    problems,
  };
  const isNew = objects ? `, of which ${bytesText(added.bytes)} are new` : '';
  const held =
    keys.length > 0 ? `and ${keys.join(', ')}: keep it private` : 'and no keys: those are in the settings';
  print(
    options,
    result,
    `${path}: the database (${bytesText(bytes)}), ${mediaText(objects)}${isNew}, ${encryptedTo.length > 0 ? 'and keys, encrypted' : held}.${removed.length > 0 ? ` Removed ${removed.join(', ')}.` : ''}`,
  );
}
