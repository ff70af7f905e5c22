import { chmod, mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join, normalize, resolve } from 'node:path';
import { StartError, type S3Settings, type Settings } from '../config/settings.js';
import { DiskObjectStore } from '../storage/disk.object-store.js';
import { isObjectKey } from '../storage/object-store.js';
import { explainS3 } from '../storage/s3-errors.js';
import { BackupTarget, isName, type Cipher } from './backup-target.js';
import { SavedBackup } from './saved-backup.js';

/** Files in a folder of backups, beside them. */
const EXPECTED = new Set(['objects', '.partial', 'lost+found']);

export const isBucket = (given: string): boolean => /^s3:\/\//i.test(given);

/** Files of 1.0 may have names that no object has. */
class BackupFolder extends DiskObjectStore {
  override pathOf(name: string): string {
    if (normalize(name) !== name || name.startsWith('..'))
      throw new StartError(`Not a file of a backup: ${name}`);
    return join(this.root, name);
  }
}

/** Opens a folder, or `s3://bucket/prefix`, to back up into it. A folder is created, readable for this user only. */
export async function openTarget(given: string, settings: Settings, encrypt?: Cipher): Promise<BackupTarget> {
  if (isBucket(given)) return openBucket(given, settings, encrypt);
  const path = resolve(given);
  await mkdir(path, { recursive: true, mode: 0o700 });
  const other = (await readdir(path)).find((name) => !isName(name) && !EXPECTED.has(name));
  if (other !== undefined)
    throw new StartError(`${path} is not empty, and has something else than backups: ${other}`);
  await chmod(path, 0o700);
  const store = new BackupFolder(path, path);
  await store.prepare();
  return new BackupTarget(store, path, '', encrypt);
}

/** Opens the backup in a folder, or under `s3://bucket/prefix`, with this path, or the newest finished one there. */
export async function openBackup(
  given: string,
  settings: () => Settings,
  decrypt?: Cipher,
): Promise<SavedBackup> {
  const whole = isBucket(given) ? given.replace(/\/+$/, '') : resolve(given);
  const isNamed = isName(basename(whole));
  const root = isNamed ? dirname(whole) : whole;
  const target = isBucket(given)
    ? await openBucket(root, settings(), decrypt)
    : new BackupTarget(new BackupFolder(root, root), root, '', decrypt);
  // Refuses symbolic links wherever they are.
  const { finished } = await target.backups();
  return SavedBackup.open(target, isNamed ? basename(whole) : (finished.at(-1) ?? ''));
}

async function openBucket(given: string, settings: Settings, cipher?: Cipher): Promise<BackupTarget> {
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)\/*(.*?)\/*$/i.exec(given) ?? [];
  if (bucket === '' || (prefix !== '' && !isObjectKey(prefix)))
    throw new StartError(
      `${given}: must be s3://bucket/prefix, with a prefix of lower-case letters, digits and -_./`,
    );
  const { s3, backupS3 } = settings;
  if (s3?.bucket === bucket && s3.endpoint === backupS3.endpoint)
    throw new StartError(`${given}: is the bucket of the service (S3_BUCKET): choose another one`);
  const access: S3Settings = { ...backupS3, bucket, publicEndpoint: backupS3.endpoint, presignedUrls: false };
  // Loaded on demand, as by `open-store.ts`.
  const { S3ObjectStore } = await import('../storage/s3.object-store.js');
  const base = prefix === '' ? '' : `${prefix}/`;
  const url = `s3://${bucket}${base && `/${prefix}`}`;
  const target = new BackupTarget(new S3ObjectStore(access), url, base, cipher);
  try {
    await target.backups();
  } catch (error) {
    const explained = explainS3(error, access).replace('S3_BUCKET', given).replaceAll(/\bS3_/g, 'BACKUP_S3_');
    throw new StartError(explained, { cause: error });
  }
  return target;
}
