import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { SETTINGS, type SecretSetting, type Settings } from '../../platform/config/settings.js';
import { confirm, type Confirmable } from './confirm.js';
import { usageError } from './exit-status.js';
import { print, type Output } from './output.js';
import { giveUpLostKeys, overlapOf, rotateSecrets, type Rotation } from './rotate-secrets.js';
import { withDatabase } from './service.js';

const DISCARD =
  'End all previous keys now, so that media URLs handed out before stop working and passwords of share links are entered again';
const GIVE_UP =
  'Give up the share tokens, and secrets and URLs of webhooks, whose sealing key is missing: addresses cannot be shown again, and webhooks fail until they get a new secret and their URL again';

/** `keys rotate-secrets`. Never prints a key. */
export async function rotateSecretsCommand(
  options: Output & Confirmable & { discardPrevious?: boolean; sealingKeyLost?: boolean },
): Promise<void> {
  const { discardPrevious = false, sealingKeyLost = false } = options;
  if (discardPrevious && sealingKeyLost) {
    throw usageError('--discard-previous and --sealing-key-lost cannot be used together');
  }
  if (discardPrevious) await confirm(DISCARD, options);
  if (sealingKeyLost) await confirm(GIVE_UP, options);
  await withDatabase(async (context) => {
    const settings = context.get<Settings>(SETTINGS);
    const dataSource = context.get<DataSource>(getDataSourceToken());
    if (sealingKeyLost) return giveUp(settings, dataSource, options);
    const rotation = await rotateSecrets(settings, dataSource, { discardPrevious });
    const { previousUntil, resealed } = rotation;
    const result = { url_signing_key_previous_until: previousUntil, resealed };
    print(options, result, report(settings, rotation, discardPrevious));
  });
}

async function giveUp(settings: Settings, dataSource: DataSource, options: Output): Promise<void> {
  const ids = await giveUpLostKeys(settings, dataSource);
  const plain =
    ids.length === 0
      ? 'No sealing key of this database is missing; nothing was changed.'
      : `Gave up the sealing key with the id ${ids.join(', ')}. The links sealed with it work, but their addresses cannot be shown again; webhooks sealed with it need a new secret and their URL again.`;
  print(options, { lost: ids }, plain);
}

function report(settings: Settings, rotation: Rotation, discardPrevious: boolean): string {
  const { urlSigningKey, sealingKey } = settings;
  const lines = [...signing(settings, rotation), ...sealing(settings, rotation)];
  const files = [urlSigningKey, sealingKey].filter(({ current }) => current === undefined);
  if (files.length > 0) {
    lines.push(
      `Back up ${files.map(({ file }) => file).join(' and ')}; keep earlier copies with the database backups of their time.`,
    );
  }
  if (discardPrevious && urlSigningKey.current !== undefined) {
    lines.push('After a leak, leave out URL_SIGNING_KEY_PREVIOUS: the old key then ends with the restart.');
  }
  return lines.join('\n');
}

function signing(settings: Settings, { previousUntil }: Rotation): string[] {
  const { urlSigningKey } = settings;
  if (urlSigningKey.current !== undefined) {
    return inSettings(urlSigningKey, `after ${hours(overlapOf(settings))} hours`);
  }
  if (previousUntil === null) return ['URL_SIGNING_KEY: new; URLs signed before no longer work.'];
  return [
    `URL_SIGNING_KEY: new; URLs signed before work until they expire, ${previousUntil.toISOString()} at the latest.`,
  ];
}

function sealing({ sealingKey }: Settings, { resealed }: Rotation): string[] {
  const done = `SEALING_KEY: all share tokens, and secrets and URLs of webhooks, are sealed with the current key; ${resealed} were sealed with another.`;
  if (sealingKey.current === undefined) return [done];
  return [done, ...inSettings(sealingKey, 'after running this command again')];
}

/** What the operator has to do, because the service cannot change its settings. */
function inSettings({ name, previous }: SecretSetting, when: string): string[] {
  if (previous.length > 0) {
    return [
      `${name}: once all processes have been restarted with it, unset ${name}_PREVIOUS ${when} and restart.`,
    ];
  }
  return [
    `${name}: is a setting, so you replace it. In all processes, set ${name}_PREVIOUS to its value and ${name} to a new one`,
    `  (openssl rand -hex 32), and restart; ${when}, unset ${name}_PREVIOUS and restart.`,
  ];
}

const hours = (ms: number): number => Math.ceil(ms / 3_600_000);
