import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { SHARE_TOKENS } from '../../modules/sharing/links/share-tokens.service.js';
import { ACCESS_TTL_MS } from '../../modules/sharing/share-access.service.js';
import { WEBHOOK_SECRETS } from '../../modules/webhooks/secrets/webhook-secrets.service.js';
import { WEBHOOK_URLS } from '../../modules/webhooks/secrets/webhook-urls.service.js';
import { StartError, type SecretSetting, type Settings } from '../../platform/config/settings.js';
import { createKeyFile, newSecret, readKeyFile, replaceKeyFile } from '../../platform/keys/key-file.js';
import { KeyRing, type Key } from '../../platform/keys/key-ring.js';
import { Resealing } from '../../platform/resealing/resealing.js';
import { Sealer } from '../../platform/sealing/sealer.js';
import { openSealer, registeredKeys } from '../../platform/sealing/sealing-keys.js';

export interface RotationOptions {
  /** After a leak: previous keys end now, and with them the URLs signed with them. */
  readonly discardPrevious: boolean;
  /** Time until a new key is used, in which all processes read it. */
  readonly settleMs?: number;
}

export interface Rotation {
  /** When the previous URL signing key ends; null if there is none, or if keys are in the settings. */
  readonly previousUntil: Date | null;
  /** Share tokens, and secrets and URLs of webhooks, that were sealed with a previous key. */
  readonly resealed: number;
}

/** Processes read key files every second; a shared folder may show changes later. */
const SETTLE_MS = 5_000;
/** For clocks that differ, and for requests in progress. */
const MARGIN_MS = 60_000;
/** Arbitrary, but unlikely to be used by another program on the same database. */
const ROTATION_LOCK = 7_345_190_113;

/**
 * Replaces the keys that are in files and seals all share tokens, and secrets and URLs of webhooks, with the current sealing key; the service may be running.
 * May be interrupted: run again, it completes what was begun. Throws a `StartError` if a sealing key is missing, or if
 * another rotation is in progress.
 */
export async function rotateSecrets(
  settings: Settings,
  dataSource: DataSource,
  options: RotationOptions,
): Promise<Rotation> {
  const { urlSigningKey, sealingKey } = settings;
  return exclusively(dataSource, async () => {
    const { keys } = await openSealer(sealingKey, dataSource);
    const interrupted = sealingKey.current === undefined && (await isSealedWithOthers(keys, dataSource));
    if (!interrupted || options.discardPrevious) {
      await rotateSigningKey(settings, options);
      await rotateSealingKey(settings, dataSource, options);
    }
    const resealed = await reseal(sealingKey, dataSource);
    if (options.discardPrevious && sealingKey.current === undefined) await keepNewest(sealingKey);
    const [, previous] = urlSigningKey.current === undefined ? await keysIn(urlSigningKey) : [];
    return { previousUntil: previous ? new Date(previous.until) : null, resealed };
  });
}

/** How long URLs and access tokens work that were signed with a key before it was replaced, in milliseconds. */
export function overlapOf({ mediaUrlTtl }: Settings): number {
  return Math.max(mediaUrlTtl * 1000, ACCESS_TTL_MS) + MARGIN_MS;
}

/**
 * Gives up what is sealed with keys that are not available here: share links work, but are never shown again, and webhooks need a
 * new secret and their URL again, unless a process starts with the key. Returns the ids of the keys.
 */
export async function giveUpLostKeys({ sealingKey }: Settings, dataSource: DataSource): Promise<string[]> {
  return exclusively(dataSource, async () => {
    const keys = await KeyRing.open(sealingKey, { create: false });
    const available = keys ? new Sealer(keys).keyIds : [];
    const lost = await dataSource.query<{ id: string }[]>(
      `WITH lost AS (UPDATE sealing_keys SET lost_at = now() WHERE lost_at IS NULL AND id <> ALL ($1) RETURNING id)
       SELECT id FROM lost ORDER BY id`,
      [available],
    );
    if (!keys) await createKeyFile(sealingKey.file);
    await openSealer(sealingKey, dataSource);
    return lost.map(({ id }) => id);
  });
}

async function exclusively<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  const session = dataSource.createQueryRunner();
  try {
    const [lock] = await session.manager.query<{ taken: boolean }[]>(
      'SELECT pg_try_advisory_lock($1) AS taken',
      [ROTATION_LOCK],
    );
    if (!lock?.taken) throw new StartError('Another `keys rotate-secrets` is in progress on this database');
    try {
      return await work();
    } finally {
      await session.query('SELECT pg_advisory_unlock($1)', [ROTATION_LOCK]);
    }
  } finally {
    await session.release();
  }
}

async function isSealedWithOthers(keys: KeyRing, dataSource: DataSource): Promise<boolean> {
  const [newest] = newestFirst(keys).keyIds;
  return (await registeredKeys(dataSource)).some(({ id, lost }) => !lost && id !== newest);
}

async function rotateSigningKey(settings: Settings, options: RotationOptions): Promise<void> {
  const { urlSigningKey: setting } = settings;
  if (setting.current !== undefined) return;
  // If the service has never started, there is no file yet.
  if ((await readKeyFile(setting.file)) === null) await createKeyFile(setting.file);
  const keys = await keysIn(setting);
  if (options.discardPrevious) await replaceKeyFile(setting.file, [newKey(0)]);
  else await replaceKeyFile(setting.file, withNewKey(keys, settings, options));
}

/** Registered before any process can seal with it. */
async function rotateSealingKey(
  settings: Settings,
  dataSource: DataSource,
  options: RotationOptions,
): Promise<void> {
  const { sealingKey: setting } = settings;
  if (setting.current !== undefined) return;
  const keys = withNewKey(await keysIn(setting), settings, options);
  await dataSource.transaction(async (manager) => {
    await register(newestFirst(new KeyRing(keys)).keyId, manager);
    await replaceKeyFile(setting.file, keys);
  });
}

async function register(keyId: string, database: Pick<DataSource, 'query'>): Promise<void> {
  await database.query('INSERT INTO sealing_keys (id) VALUES ($1) ON CONFLICT DO NOTHING', [keyId]);
}

async function reseal(setting: SecretSetting, dataSource: DataSource): Promise<number> {
  const keys = await KeyRing.open(setting, { create: true });
  // Until then, other processes still seal with the previous key.
  await sleep(Math.max(0, (keys.all[0]?.from ?? 0) - Date.now()));
  const sealer = newestFirst(keys);
  await register(sealer.keyId, dataSource);
  return new Resealing(sealer, dataSource, [SHARE_TOKENS, WEBHOOK_SECRETS, WEBHOOK_URLS]).run();
}

async function keepNewest(setting: SecretSetting): Promise<void> {
  await replaceKeyFile(setting.file, (await keysIn(setting)).slice(0, 1));
}

async function keysIn({ file }: SecretSetting): Promise<readonly Key[]> {
  const keys = await readKeyFile(file);
  if (keys === null) throw new StartError(`${file}: was removed during the rotation`);
  return keys;
}

function withNewKey(keys: readonly Key[], settings: Settings, options: RotationOptions): Key[] {
  const now = Date.now();
  const until = now + overlapOf(settings);
  const previous = keys.filter((key) => key.until > now);
  return [
    newKey(now + (options.settleMs ?? SETTLE_MS)),
    ...previous.map((key) => ({ ...key, until: Math.min(key.until, until) })),
  ];
}

const newKey = (from: number): Key => ({ secret: newSecret(), from, until: Infinity });

/** Seals with the newest key, even if other processes do not use it yet. */
const newestFirst = (keys: KeyRing): Sealer =>
  new Sealer(new KeyRing(keys.all.map((key) => ({ ...key, from: 0 }))));
