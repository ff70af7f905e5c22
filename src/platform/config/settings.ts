import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { BUDGET_NAMES, BUDGETS, type BudgetName } from './budgets.js';
import { AUTO } from '../../lib/language/language-codes.js';
import { quoteForMessage } from '../../lib/text.js';
import type { ModelServer } from '../models/model-client.js';
import type { Mailbox, SmtpServer } from './mail-settings.js';
import { SETTINGS_SCHEMA, type RawSettings } from './settings.schema.js';

/** More threads than this hardly make the built-in model faster. */
const MAX_SPEECH_THREADS = 4;

/** Dependency-injection token of `Settings`. */
export const SETTINGS = Symbol('SETTINGS');

/** Only without a server: servers detect the language, and mistranscribe speech in another one than they are given. */
const SPEECH_LANGUAGE = 'en';

/** Validated settings, with absolute paths and derived defaults. */
export type Settings = Readonly<ReturnType<typeof settingsOf>>;

/** Null: unlimited. */
export interface QuotaLimits {
  /** Bytes. */
  readonly storedBytes: number | null;
  readonly recordings: number | null;
  /** A day in UTC. */
  readonly uploadsPerDay: number | null;
}

/** A secret that can be replaced. */
export interface SecretSetting {
  readonly name: 'URL_SIGNING_KEY' | 'SEALING_KEY';
  /** Undefined: generated, in `file`. */
  readonly current: string | undefined;
  /** Accepted besides. */
  readonly previous: string | undefined;
  /** Absolute path; not used with `current`. */
  readonly file: string;
}

export interface MailSettings {
  readonly server: SmtpServer;
  readonly from: Mailbox;
}

export interface S3Settings {
  readonly bucket: string;
  readonly endpoint: string | undefined;
  /** The endpoint in presigned URLs. */
  readonly publicEndpoint: string | undefined;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
}

/** An operator error: shown as it is, without a stack. */
export class StartError extends Error {}

/**
 * Validates environment variables; empty ones are treated as unset. Throws a `StartError` that names every invalid one.
 */
export function parseSettings(environment: Readonly<Record<string, unknown>>): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = SETTINGS_SCHEMA.safeParse(given);
  if (!parsed.success) {
    const reasons = parsed.error.issues.map(({ path, message }) => {
      const name = path.join('.');
      return `${name} ${message}${shownValue(name, given[name])}`;
    });
    throw new StartError(
      reasons.length > 1
        ? `Invalid settings:\n- ${reasons.join('\n- ')}`
        : `Invalid setting: ${reasons.join()}`,
    );
  }
  const raw = parsed.data;
  if (raw.DEMO && raw.DATABASE_URL) {
    throw new StartError(
      'Invalid setting: DEMO=true requires the embedded database; unset DATABASE_URL or DEMO',
    );
  }
  if (raw.SPEECH_MODEL_DIR && raw.TRANSCRIPTION_URL) {
    throw new StartError('Invalid setting: SPEECH_MODEL_DIR has no effect with TRANSCRIPTION_URL; unset one');
  }
  return settingsOf(raw);
}

/** What was given, unless it may hold a secret, as keys and URLs do. */
function shownValue(name: string, value: unknown): string {
  const text = String(value);
  return /KEY|URL(?!_TTL)|ENDPOINT/.test(name) || text.includes('://')
    ? ''
    : `, not ${quoteForMessage(text)}`;
}

function settingsOf(raw: RawSettings) {
  const processes = raw.WEB_CONCURRENCY ?? 1;
  return {
    host: raw.HOST,
    port: raw.PORT,
    /** Undefined: as the command says. */
    webConcurrency: raw.WEB_CONCURRENCY,
    publicUrl: raw.PUBLIC_URL,
    dataDir: resolve(raw.DATA_DIR),
    databaseUrl: raw.DATABASE_URL,
    databasePoolSize: raw.DATABASE_POOL_SIZE ?? poolSize(processes),
    demo: raw.DEMO ?? raw.DATABASE_URL === undefined,
    urlSigningKey: secretSetting(raw, 'URL_SIGNING_KEY', 'url-signing-key'),
    sealingKey: secretSetting(raw, 'SEALING_KEY', 'sealing-key'),
    /** Seconds. */
    mediaUrlTtl: raw.MEDIA_URL_TTL,
    /** Bytes. */
    maxUploadSize: raw.MAX_UPLOAD_SIZE,
    maxOpenUploads: raw.MAX_OPEN_UPLOADS,
    /** Seconds. */
    uploadIdleTimeout: raw.UPLOAD_IDLE_TIMEOUT,
    allowPrivateAddresses: raw.ALLOW_PRIVATE_ADDRESSES,
    /** Null: callers are given the advice for operators. */
    adviceContact: raw.ADVICE_CONTACT ?? null,
    defaultPlan: raw.DEFAULT_PLAN,
    quotas: {
      FREE: quotaLimits(raw, 'FREE'),
      PRO: quotaLimits(raw, 'PRO'),
      ENTERPRISE: quotaLimits(raw, 'ENTERPRISE'),
    },
    workerConcurrency: raw.WORKER_CONCURRENCY,
    /** Undefined: a worker listens on no port. */
    workerHealthPort: raw.WORKER_HEALTH_PORT,
    ffmpegPath: raw.FFMPEG_PATH,
    /** Undefined: the built-in model. */
    speechModelDir: raw.SPEECH_MODEL_DIR && resolve(raw.SPEECH_MODEL_DIR),
    /** Undefined: speakers of a mixed recording are not distinguished. */
    speechDiarizationDir: raw.SPEECH_DIARIZATION_DIR && resolve(raw.SPEECH_DIARIZATION_DIR),
    speechThreads: raw.SPEECH_THREADS ?? Math.min(MAX_SPEECH_THREADS, availableParallelism()),
    /** Null: the service recognizes speech by itself. */
    transcription: modelServer(raw, 'TRANSCRIPTION'),
    autoTranscribe: raw.AUTO_TRANSCRIBE,
    speechLanguage: raw.SPEECH_LANGUAGE ?? (raw.TRANSCRIPTION_URL === undefined ? SPEECH_LANGUAGE : AUTO),
    autoSummarize: raw.AUTO_SUMMARIZE,
    /** Null: summaries and answers are generated without a model. */
    chat: modelServer(raw, 'CHAT'),
    /** Of one summary; null means no limit. */
    chatMaxTokens: raw.CHAT_MAX_TOKENS || null,
    chatAnswerSeconds: raw.CHAT_ANSWER_SECONDS,
    /** Null: no email is sent. */
    mail: mailSettings(raw),
    mailLanguage: raw.MAIL_LANGUAGE,
    /** Null: files are stored on disk, under `dataDir`. */
    s3: s3Settings(raw),
    corsOrigins: raw.CORS_ORIGINS ?? [],
    shareFrameAncestors: raw.SHARE_FRAME_ANCESTORS ?? [],
    apiDocs: raw.API_DOCS,
    mcp: raw.MCP,
    /** Null: nothing is known about proxies. */
    trustProxy: raw.TRUST_PROXY ?? null,
    /** Of each process. */
    maxConnections: Math.ceil(raw.MAX_CONNECTIONS / processes),
    auditDays: raw.AUDIT_DAYS,
    /** Requests per minute; 0 means no limit. */
    rateLimits: rateLimits(raw),
    logLevel: raw.LOG_LEVEL,
  };
}

/** Together with a worker, all processes fit into the 100 connections that PostgreSQL allows by default. */
const poolSize = (processes: number): number => Math.min(10, Math.max(4, Math.floor(32 / processes)));

function quotaLimits(raw: RawSettings, plan: 'FREE' | 'PRO' | 'ENTERPRISE'): QuotaLimits {
  return {
    storedBytes: raw[`QUOTA_${plan}_STORED_BYTES`] || null,
    recordings: raw[`QUOTA_${plan}_RECORDINGS`] || null,
    uploadsPerDay: raw[`QUOTA_${plan}_UPLOADS_PER_DAY`] || null,
  };
}

function secretSetting(raw: RawSettings, name: SecretSetting['name'], file: string): SecretSetting {
  const { [name]: current, [`${name}_PREVIOUS` as const]: previous } = raw;
  return { name, current, previous, file: join(resolve(raw.DATA_DIR), file) };
}

function rateLimits(raw: RawSettings): Record<BudgetName, number> {
  const limits = BUDGET_NAMES.map((name) => [name, raw[BUDGETS[name].setting]] as const);
  return Object.fromEntries(limits) as Record<BudgetName, number>;
}

function modelServer(raw: RawSettings, name: 'TRANSCRIPTION' | 'CHAT'): ModelServer | null {
  const { [`${name}_URL` as const]: url, [`${name}_MODEL` as const]: model } = raw;
  const apiKey = raw[`${name}_API_KEY`];
  if (url === undefined) {
    if (model === undefined && apiKey === undefined) return null;
    throw new StartError(`Invalid setting: ${name}_MODEL and ${name}_API_KEY require ${name}_URL`);
  }
  if (model === undefined) throw new StartError(`Invalid setting: ${name}_URL requires ${name}_MODEL`);
  return { url, model, apiKey };
}

function mailSettings({ SMTP_URL: server, MAIL_FROM: from }: RawSettings): MailSettings | null {
  if (server && from) return { server, from };
  if (server) throw new StartError('Invalid setting: SMTP_URL requires MAIL_FROM');
  if (from) throw new StartError('Invalid setting: MAIL_FROM requires SMTP_URL');
  return null;
}

function s3Settings(raw: RawSettings): S3Settings | null {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = raw;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new StartError('Invalid setting: S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together');
  }
  if (bucket === undefined) {
    if (raw.S3_ENDPOINT) throw new StartError('Invalid setting: S3_ENDPOINT requires S3_BUCKET');
    return null;
  }
  return {
    bucket,
    endpoint: raw.S3_ENDPOINT,
    publicEndpoint: raw.S3_PUBLIC_ENDPOINT ?? raw.S3_ENDPOINT,
    region: raw.S3_REGION,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
  };
}
