import { resolve } from 'node:path';
import { SETTINGS_SCHEMA, type RawSettings } from './settings.schema.js';

/** Dependency-injection token of `Settings`. */
export const SETTINGS = Symbol('SETTINGS');

/** The checked settings, with paths made absolute and dependent defaults filled in. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | undefined;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  readonly demo: boolean;
  readonly urlSigningKey: string | undefined;
  /** Seconds. */
  readonly mediaUrlTtl: number;
  readonly rateLimitPerMinute: number;
  readonly logLevel: RawSettings['LOG_LEVEL'];
}

/** A mistake of whoever runs the service: shown as one line, without a stack. */
export class StartError extends Error {}

/** Checks environment variables; an empty one counts as unset. Throws a `StartError` that names every bad one. */
export function parseSettings(environment: Readonly<Record<string, unknown>>): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = SETTINGS_SCHEMA.safeParse(given);
  if (!parsed.success) {
    const reasons = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new StartError(`Bad setting: ${reasons.join('; ')}`);
  }
  const raw = parsed.data;
  if (raw.DEMO && raw.DATABASE_URL) {
    throw new StartError(
      'Bad setting: DEMO=true works with the embedded database only; unset DATABASE_URL or DEMO',
    );
  }
  return {
    host: raw.HOST,
    port: raw.PORT,
    publicUrl: raw.PUBLIC_URL,
    dataDir: resolve(raw.DATA_DIR),
    databaseUrl: raw.DATABASE_URL,
    databasePoolSize: raw.DATABASE_POOL_SIZE,
    demo: raw.DEMO ?? raw.DATABASE_URL === undefined,
    urlSigningKey: raw.URL_SIGNING_KEY,
    mediaUrlTtl: raw.MEDIA_URL_TTL,
    rateLimitPerMinute: raw.RATE_LIMIT_PER_MINUTE,
    logLevel: raw.LOG_LEVEL,
  };
}
