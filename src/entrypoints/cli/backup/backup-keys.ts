import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { Client } from 'pg';
import type { BackupTarget } from '../../../platform/backup/backup-target.js';
import type { SavedBackup } from '../../../platform/backup/saved-backup.js';
import { StartError, type Settings } from '../../../platform/config/settings.js';
import { sql } from '../../../platform/database/sql.js';
import { Sealer } from '../../../platform/sealing/sealer.js';
import { readKeyFile, readKeys } from '../../../platform/secrets/keys.js';
import { refuseLinks } from '../../../platform/storage/symbolic-links.js';

export async function findSealingKeyIds(client: Client): Promise<string[]> {
  const rows = await sql(client)<{ id: string }>`SELECT id FROM sealing_keys ORDER BY id`;
  return rows.map(({ id }) => id);
}

/** Copies the keys in the data folder, and returns the names of their files. Those of settings stay in the settings. */
export async function saveKeys(settings: Settings, target: BackupTarget, backup: string): Promise<string[]> {
  const saved: string[] = [];
  for (const { current, file } of [settings.sealingKey, settings.urlSigningKey]) {
    const key = current === undefined ? await readKeyFile(await refuseLinks(settings.dataDir, file)) : null;
    if (key === null) continue;
    await target.put(`${backup}/keys/${basename(file)}`, Readable.from([Buffer.from(key)]));
    saved.push(basename(file));
  }
  return saved;
}

/** The keys in the backup, by their files, unless settings have another. Throws if its rows need one more. */
export async function requireKeys(
  settings: Settings,
  backup: SavedBackup,
): Promise<ReadonlyMap<string, string>> {
  const saved = new Map<string, string>();
  for (const { current, file } of [settings.sealingKey, settings.urlSigningKey]) {
    const name = basename(file);
    if (current !== undefined || !backup.manifest.keys.includes(name)) continue;
    const key = await backup.key(name);
    const present = await readKeyFile(await refuseLinks(settings.dataDir, file));
    if (present !== null && present !== key)
      throw new StartError(
        `${file} holds another key than the backup: move it away, or use another DATA_DIR`,
      );
    saved.set(file, key);
  }
  const { sealingKey } = settings;
  const keys = await readKeys({ ...sealingKey, current: saved.get(sealingKey.file) ?? sealingKey.current });
  const usable = keys ? new Sealer(keys).keyIds : [];
  const missing = backup.manifest.sealingKeyIds.filter((id) => !usable.includes(id));
  if (missing.length === 0) return saved;
  throw new StartError(
    `SEALING_KEY: the backup is encrypted with a key that is not in it (id ${missing.join(', ')}); ` +
      'set SEALING_KEY or SEALING_KEY_PREVIOUS to that key',
  );
}
