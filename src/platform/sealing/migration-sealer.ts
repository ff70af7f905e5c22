import type { QueryRunner } from 'typeorm';
import { StartError, type SecretSetting } from '../config/settings.js';
import { openKeys, readKeys } from '../keys/keys.js';
import { Sealer } from './sealer.js';

/** Called only by migrations that find something to seal (then, `create` is set) or to unseal. */
export type OpenMigrationSealer = (options: { readonly create: boolean }) => Promise<Sealer>;

/** `extra.openSealer` of the options of a data source. */
export interface SealerOption {
  readonly openSealer?: OpenMigrationSealer | undefined;
}

/** With the keys in the settings, or else in their file. */
export function migrationSealer(setting: SecretSetting): OpenMigrationSealer {
  return async (options) => {
    const keys = await (options.create ? openKeys : readKeys)(setting);
    if (keys) return new Sealer(keys);
    throw new StartError(
      `SEALING_KEY: ${setting.file} is missing; restore it from a backup, or set SEALING_KEY`,
    );
  };
}

/** The sealer of the data source that a migration runs on. */
export async function sealerOf(
  { dataSource }: QueryRunner,
  options: { readonly create: boolean },
): Promise<Sealer> {
  const { openSealer } = (dataSource.options as { extra?: SealerOption }).extra ?? {};
  if (!openSealer)
    throw new StartError('SEALING_KEY: is needed to migrate the share links and webhooks of this database');
  return openSealer(options);
}
