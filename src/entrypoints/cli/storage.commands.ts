import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError, type Settings } from '../../platform/config/settings.js';
import type { ObjectStore } from '../../platform/storage/object-store.js';
import { openDiskStore, openS3Store } from '../../platform/storage/open-store.js';
import { s3ErrorIn } from '../../platform/storage/s3-errors.js';
import { StoreMigration, type MigrationReport } from '../../platform/storage/store-migration.js';
import { confirm, type Confirmable } from './confirm.js';
import { usageError } from './exit-status.js';
import { megabytes, showProgress } from './progress.js';
import type { Output } from './output.js';
import { readSettings } from './settings.js';

/** Under DATA_DIR, or in the bucket of the S3_* settings. */
type StoreName = 'disk' | 's3';

/** Failures listed individually; beyond that only their number is reported. */
const MAX_LISTED = 10;

/** `storage migrate`. Needs no database; the service may be running. */
export async function migrateStorage(
  options: Output & Confirmable & { from: StoreName; to: StoreName; deleteSource?: boolean },
): Promise<void> {
  const { from, to } = options;
  if (from === to) throw usageError('--to: must not be the same store as --from');
  const settings = await readSettings();
  if (from === 'disk') await requireObjects(settings);
  const source = await open(from, settings);
  const target = await open(to, settings);
  if (options.deleteSource)
    await confirm(`Remove each file from ${from} once its copy in ${to} is verified`, options);
  const progress = showProgress();
  const stop = new AbortController();
  const release = onStopSignal(() => stop.abort());
  try {
    const migration = new StoreMigration(source, target, {
      deleteSource: options.deleteSource ?? false,
      signal: stop.signal,
      onProgress: (done, total) =>
        progress.show(
          // Counting objects as well advances the bar for empty ones.
          (done.bytes + done.objects) / Math.max(1, total.bytes + total.objects),
          `${done.objects} of ${total.objects} objects, ${megabytes(done.bytes, total.bytes)}`,
        ),
    });
    const report = await migration.run().finally(progress.end);
    printReport(report, options);
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

/** A mistyped DATA_DIR would look like an empty store. */
async function requireObjects({ dataDir }: Settings): Promise<void> {
  const folder = join(dataDir, 'objects');
  if (!(await stat(folder).catch(() => null))?.isDirectory()) {
    throw new StartError(`DATA_DIR: there are no objects at ${folder}`);
  }
}

/** The first signal lets objects in progress finish, so that nothing is left incomplete; a second one ends the process. */
function onStopSignal(stop: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}

function printReport(
  report: MigrationReport,
  { from, to, json }: { from: string; to: string; json?: boolean },
): void {
  process.stdout.write(`${json ? JSON.stringify(report) : summary(report)}\n`);
  const { failed, interrupted } = report;
  if (failed.length === 0 && !interrupted) return;
  process.exitCode = 1;
  for (const { key, reason } of failed.slice(0, MAX_LISTED)) process.stderr.write(`${key}: ${reason}\n`);
  const why = interrupted ? 'Interrupted' : `Failed for ${failed.length} objects`;
  process.stderr.write(`${why}; to resume: npm run -s cli -- storage migrate --from ${from} --to ${to}\n`);
}

function summary({ copied, skipped, bytes, deleted, vanished, failed }: MigrationReport): string {
  const lines = [`copied: ${copied} (${bytes} bytes)`, `already present: ${skipped}`];
  if (deleted > 0) lines.push(`deleted from the source: ${deleted}`);
  if (vanished > 0) lines.push(`deleted during the migration: ${vanished}`);
  if (failed.length > 0) lines.push(`failed: ${failed.length}`);
  return lines.join('\n');
}

/** Shows the user the cause, which is otherwise only logged. */
function stopped(error: unknown): unknown {
  const cause = s3ErrorIn(error);
  return cause
    ? new StartError(`Stopped: ${cause.message}; run the command again to resume`, { cause: error })
    : error;
}
