import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError, type Settings } from '../../platform/config/settings.js';
import type { ObjectStore } from '../../platform/storage/object-store.js';
import { openDiskStore, openS3Store } from '../../platform/storage/open-store.js';
import { s3ErrorIn } from '../../platform/storage/s3-errors.js';
import { StoreMigration, type MigrationReport } from '../../platform/storage/store-migration.js';
import { megabytes, showProgress } from './progress.js';
import { readSettings } from './settings.js';

/** Under DATA_DIR, or in the bucket of the S3_* settings. */
type StoreName = 'disk' | 's3';

/** Failures told one by one; of more only how many. */
const FAILURES_TOLD = 10;

/** `storage migrate`. Needs no database, and the service may run. */
export async function migrateStorage(options: {
  from: StoreName;
  to: StoreName;
  deleteSource?: boolean;
  json?: boolean;
}): Promise<void> {
  if (options.from === options.to) throw new StartError('--to: must be another store than --from');
  const settings = await readSettings();
  if (options.from === 'disk') await requireObjects(settings);
  const source = await open(options.from, settings);
  const target = await open(options.to, settings);
  const progress = showProgress();
  const stop = new AbortController();
  const release = onStopSignal(() => stop.abort());
  try {
    const migration = new StoreMigration(source, target, {
      deleteSource: options.deleteSource ?? false,
      signal: stop.signal,
      onProgress: (done, total) =>
        progress.show(
          // An empty object moves it too.
          (done.bytes + done.objects) / Math.max(1, total.bytes + total.objects),
          `${done.objects} of ${total.objects} objects, ${megabytes(done.bytes, total.bytes)}`,
        ),
    });
    const report = await migration.run().finally(progress.end);
    tell(report, options);
  } catch (error) {
    throw stopped(error);
  } finally {
    release();
  }
}

async function open(name: StoreName, settings: Settings): Promise<ObjectStore> {
  if (name === 'disk') return openDiskStore(settings.dataDir);
  if (!settings.s3) throw new StartError('S3_BUCKET: must be set to migrate from or to S3');
  return openS3Store(settings.s3);
}

/** A mistyped folder would be an empty one. */
async function requireObjects({ dataDir }: Settings): Promise<void> {
  const folder = join(dataDir, 'objects');
  if (!(await stat(folder).catch(() => null))?.isDirectory()) {
    throw new StartError(`DATA_DIR: there are no objects at ${folder}`);
  }
}

/** The first signal finishes what has begun, so that nothing half-done is left; a second one ends at once. */
function onStopSignal(stop: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}

function tell(
  report: MigrationReport,
  { from, to, json }: { from: string; to: string; json?: boolean },
): void {
  process.stdout.write(`${json ? JSON.stringify(report) : summary(report)}\n`);
  const { failed, interrupted } = report;
  if (failed.length === 0 && !interrupted) return;
  process.exitCode = 1;
  for (const { key, reason } of failed.slice(0, FAILURES_TOLD)) process.stderr.write(`${key}: ${reason}\n`);
  const why = interrupted ? 'Stopped before the end' : `Failed for ${failed.length} objects`;
  process.stderr.write(`${why}; to go on: npm run -s cli -- storage migrate --from ${from} --to ${to}\n`);
}

function summary({ copied, skipped, bytes, deleted, vanished, failed }: MigrationReport): string {
  const lines = [`copied: ${copied} (${bytes} bytes)`, `already there: ${skipped}`];
  if (deleted > 0) lines.push(`deleted from the source: ${deleted}`);
  if (vanished > 0) lines.push(`deleted meanwhile: ${vanished}`);
  if (failed.length > 0) lines.push(`failed: ${failed.length}`);
  return lines.join('\n');
}

/** What the log would say is for the user here. */
function stopped(error: unknown): unknown {
  const cause = s3ErrorIn(error);
  return cause ? new StartError(`Stopped: ${cause.message}; run it again to go on`, { cause: error }) : error;
}
