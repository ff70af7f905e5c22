import { resolve } from 'node:path';
import { singleLine } from '../../../lib/text.js';
import type { BackupManifest } from '../../../platform/backup/backup-manifest.js';
import { checkObjects, loadObjects } from '../../../platform/backup/backup-objects.js';
import { loadRows } from '../../../platform/backup/load-rows.js';
import { isBucket, openBackup } from '../../../platform/backup/open-target.js';
import type { SavedBackup } from '../../../platform/backup/saved-backup.js';
import { findAnything, findMigrations } from '../../../platform/backup/tables.queries.js';
import { readSettings } from '../../../platform/config/read-settings.js';
import { StartError } from '../../../platform/config/settings.js';
import { LOCKS } from '../../../platform/database/lock-numbers.js';
import {
  migrate,
  migrateJobSchema,
  migrateSchema,
  requireUsableServer,
} from '../../../platform/database/migrate.js';
import { MIGRATIONS } from '../../../platform/database/migrations.js';
import { sql } from '../../../platform/database/sql.js';
import { isRestoreUnfinished, markUnfinishedRestore } from '../../../platform/database/unfinished-restore.js';
import { createKeyFile } from '../../../platform/secrets/keys.js';
import type { ObjectStore } from '../../../platform/storage/object-store.js';
import { openStore } from '../../../platform/storage/open-store.js';
import { placeOf } from '../host.js';
import { refused } from '../exit-status.js';
import { print, type Output } from '../output.js';
import { readIdentity } from './age-keys.js';
import { requireKeys } from './backup-keys.js';
import { BackupReport, mediaText } from './backup-report.js';
import { withServer, type OpenServer } from './database-server.js';
import { blameFolder, explainFailure, requireTarget } from './folders.js';

export interface RestoreOptions extends Output {
  readonly identity?: string;
}

export async function restore(given: string, options: RestoreOptions): Promise<void> {
  const decrypt = await readIdentity(options.identity);
  if (!isBucket(given)) await requireTarget(readSettings(), resolve(given));
  const backup = await openBackup(given, readSettings, decrypt).catch(blameFolder);
  await backup.requireWhole().catch(blameFolder);
  const { manifest } = backup;
  requireKnown(manifest);
  await withServer({ creates: true }, async (server) => {
    const { settings, url } = server;
    const report = new BackupReport();
    const store = await openStore(settings, { followsLinks: false });
    try {
      const leftOut = await load(server, store, backup, report);
      // As the next start would: what this release adds to the schema.
      await migrate(url);
      await checkObjects(store, backup.references(), report.onProblem, leftOut);
    } catch (error) {
      throw explainFailure(error, settings.dataDir, 'Run the same command again to continue.');
    } finally {
      report.end();
    }
    const { createdAt } = manifest;
    const objects = manifest.objects && report.handled;
    const place = placeOf(settings);
    const { problems } = report;
    const result = { database: place, created_at: createdAt, media_files: objects?.count ?? null, problems };
    print(options, result, `Restored the backup of ${createdAt} into ${place}, with ${mediaText(objects)}.`);
    report.requireNone('The backup is restored');
  });
}

/** Whatever can refuse the backup does so before anything is written. Returns the damaged objects, left out. */
async function load(
  { settings, url, client }: OpenServer,
  store: ObjectStore,
  backup: SavedBackup,
  report: BackupReport,
): Promise<ReadonlySet<string>> {
  const { manifest, target } = backup;
  await requireUsableServer(client);
  const keys = await requireKeys(settings, backup);
  await takeLock(client);
  const isAgain = await isRestoreUnfinished(client);
  const place = placeOf(settings);
  if (!isAgain) {
    const found = await findAnything(client);
    if (found !== null)
      throw refused(
        `The database in ${place} is not empty. ${settings.databaseUrl ? 'Set DATABASE_URL to an empty database.' : newFolder(backup)}`,
      );
    if (manifest.objects)
      await requireEmpty(store, settings.s3 ? 'Set S3_BUCKET to an empty bucket.' : newFolder(backup));
  }
  await markUnfinishedRestore(client);
  for (const [file, key] of keys) await createKeyFile(file, key);
  const onProblem = (problem: string): void =>
    report.onProblem(`left out, as the backup is damaged: ${problem}`);
  const leftOut = await loadObjects(store, backup, { ...report, onProblem }, isAgain);
  await makeSchema(url, client, manifest);
  const skipped = await loadRows(client, backup.openTable, manifest.rows, report.onTable);
  for (const table of skipped) {
    const { name, columns } = table;
    process.stderr.write(
      `${singleLine(`The table ${name} was left out, as the service does not use it. If you need it, create it and load its rows in psql: \\copy ${name} (${columns.join(', ')}) FROM '${target.pathOf(backup.fileOfTable(table))}'`)}\n`,
    );
  }
  await sql(client)`SELECT pg_advisory_unlock(${LOCKS.migration}::bigint)`;
  return leftOut;
}

/** Makes services that start wait. */
async function takeLock(client: OpenServer['client']): Promise<void> {
  const [lock] = await sql(client)<{ taken: boolean }>`
    SELECT pg_try_advisory_lock(${LOCKS.migration}::bigint) AS taken`;
  if (lock?.taken !== true) throw refused('A service is starting on this database, or it is being restored');
}

const newFolder = ({ target, name }: SavedBackup): string =>
  `Choose a new folder: DATA_DIR=NEW npx mrs restore ${target.pathOf(name)}`;

async function requireEmpty(store: ObjectStore, advice: string): Promise<void> {
  for await (const { key } of store.list(''))
    throw refused(`The store of media files is not empty: it has ${key}. ${advice}`);
}

function requireKnown({ rows }: BackupManifest): void {
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  const unknown = rows.migrations.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new StartError(`The backup was written by a newer release (${unknown}); restore it with that one`);
}

async function makeSchema(
  url: string,
  client: OpenServer['client'],
  { rows }: BackupManifest,
): Promise<void> {
  const wanted = new Set(rows.migrations);
  await migrateSchema(
    url,
    MIGRATIONS.filter(({ name }) => wanted.has(name)),
  );
  const other = (await findMigrations(client)).find((name) => !wanted.has(name));
  if (other !== undefined)
    throw refused(
      `The restore of another backup was not finished in this database (${other}); use a new one`,
    );
  await migrateJobSchema(url);
}
