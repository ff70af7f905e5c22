import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { BUDGET_NAMES, BUDGETS, type BudgetName } from './budgets.js';
import { AUTO } from '../../lib/language/language-codes.js';
import { quoteForMessage } from '../../lib/text.js';
import type { ModelServer } from '../models/model-client.js';
import { RULES } from './settings.rules.js';
import { backupS3Settings, s3Settings } from './s3-settings.js';
import { isSecret, SETTINGS_SCHEMA, type RawSettings, type SettingName } from './settings.schema.js';
import { USUAL_PROCESSES } from '../runtime/cores.js';

/** More threads than this hardly make the built-in model faster. */
const MAX_SPEECH_THREADS = 4;

/** Dependency-injection token of `Settings`. */
export const SETTINGS = Symbol('SETTINGS');

/** Only without a server: servers detect the language, and mistranscribe speech in another one than they are given. */
const SPEECH_LANGUAGE = 'en';

/** Validated settings, with absolute paths and derived defaults. */
export type Settings = Readonly<ReturnType<typeof settingsOf>>;

export type QuotaLimits = Readonly<ReturnType<typeof quotaLimits>>;
export type MailSettings = NonNullable<ReturnType<typeof mailSettings>>;
export type MetricsSettings = NonNullable<ReturnType<typeof metricsSettings>>;
export type S3Settings = NonNullable<ReturnType<typeof s3Settings>>;

export interface SecretSetting {
  readonly name: 'URL_SIGNING_KEY' | 'SEALING_KEY';
  /** Undefined: generated, in `file`. */
  readonly current: string | undefined;
  /** Accepted besides. */
  readonly previous: string | undefined;
  /** Absolute path; not used with `current`. */
  readonly file: string;
}

/** An operator error: shown as it is, without a stack. */
export class StartError extends Error {}

/** Validates environment variables; empty ones are unset. Throws a `StartError` that names every problem, those `known` first. */
export function parseSettings(
  environment: Readonly<Record<string, unknown>>,
  known: readonly string[] = [],
): Settings {
  const { raw, problems } = checkSettings(environment, known);
  if (raw) return settingsOf(raw);
  throw new StartError(
    problems.length > 1
      ? `Invalid settings:\n- ${problems.join('\n- ')}`
      : `Invalid setting: ${problems.join()}`,
  );
}

/** Returns the settings as they are read, or everything that is wrong with them. */
export function checkSettings(
  environment: Readonly<Record<string, unknown>>,
  known: readonly string[],
): { readonly raw: RawSettings | null; readonly problems: readonly string[] } {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { data, error } = SETTINGS_SCHEMA.safeParse(given);
  const invalid = (error?.issues ?? []).map(({ path, message }) => {
    const name = path.join('.') as SettingName;
    return `${name} ${message}${shownValue(name, given[name])}`;
  });
  // A secret that could not be read from its file would seem to be missing.
  const rules = known.length > 0 ? [] : RULES;
  const broken = rules.flatMap(([isBroken, problem]) => (isBroken(given) ? [problem] : []));
  const problems = [...known, ...invalid, ...broken];
  return { raw: data && problems.length === 0 ? data : null, problems };
}

/** What was given, unless it may hold a secret, as URLs do. */
function shownValue(name: SettingName, value: unknown): string {
  const text = String(value);
  return isSecret(name) || /URL$|ENDPOINT/.test(name) || text.includes('://')
    ? ''
    : `, not ${quoteForMessage(text)}`;
}

function settingsOf(raw: RawSettings) {
  const processes = raw.WEB_CONCURRENCY ?? 1;
  const apiProcesses = raw.WEB_CONCURRENCY ?? USUAL_PROCESSES;
  return {
    host: raw.HOST,
    port: raw.PORT,
    /** Undefined: as the command says. */
    webConcurrency: raw.WEB_CONCURRENCY,
    /** Those that a worker has to expect beside it. */
    apiProcesses,
    publicUrl: raw.PUBLIC_URL,
    dataDir: resolve(raw.DATA_DIR),
    /** Bytes. */
    minFreeDisk: raw.MIN_FREE_DISK,
    /** Whether what is uploaded or imported is stored on the disk of `dataDir`. */
    fillsDisk: raw.S3_BUCKET === undefined || raw.DATABASE_URL === undefined,
    databaseUrl: raw.DATABASE_URL,
    /** For what a pooler at `databaseUrl` cannot do. */
    databaseDirectUrl: raw.DATABASE_DIRECT_URL ?? raw.DATABASE_URL,
    /** From which may be read. */
    databaseReplicaUrl: raw.DATABASE_REPLICA_URL,
    databasePoolSize: raw.DATABASE_POOL_SIZE ?? poolSize(processes),
    /** The same for each API process, as a worker expects it. */
    apiPoolSize: raw.DATABASE_POOL_SIZE ?? poolSize(apiProcesses),
    demo: raw.DEMO ?? raw.DATABASE_URL === undefined,
    urlSigningKey: secretSetting(raw, 'URL_SIGNING_KEY', 'url-signing-key'),
    sealingKey: secretSetting(raw, 'SEALING_KEY', 'sealing-key'),
    /** With neither a key nor a command, media is not encrypted. */
    contentKey: {
      current: raw.CONTENT_KEY,
      command: raw.CONTENT_KEY_COMMAND,
      previous: raw.CONTENT_KEY_PREVIOUS,
    },
    /** Seconds. */
    mediaUrlTtl: raw.MEDIA_URL_TTL,
    /** Bytes. */
    maxUploadSize: raw.MAX_UPLOAD_SIZE,
    maxOpenUploads: raw.MAX_OPEN_UPLOADS,
    /** Seconds. */
    uploadIdleTimeout: raw.UPLOAD_IDLE_TIMEOUT,
    binDays: raw.BIN_DAYS,
    allowPrivateAddresses: raw.ALLOW_PRIVATE_ADDRESSES,
    /** Null: callers are given the advice for operators. */
    adviceContact: raw.ADVICE_CONTACT ?? null,
    defaultPlan: raw.DEFAULT_PLAN,
    quotas: {
      FREE: quotaLimits(raw, 'FREE'),
      PRO: quotaLimits(raw, 'PRO'),
      ENTERPRISE: quotaLimits(raw, 'ENTERPRISE'),
    },
    /** Days after which recordings go; null: never. */
    retention: {
      personal: raw.PERSONAL_RETENTION_DAYS || null,
      plans: {
        FREE: raw.RETENTION_MAX_DAYS_FREE || null,
        PRO: raw.RETENTION_MAX_DAYS_PRO || null,
        ENTERPRISE: raw.RETENTION_MAX_DAYS_ENTERPRISE || null,
      },
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
    backupS3: backupS3Settings(raw),
    /** With which people sign in. */
    identityProviders: raw.IDENTITY_PROVIDERS ?? [],
    corsOrigins: raw.CORS_ORIGINS ?? [],
    shareFrameAncestors: raw.SHARE_FRAME_ANCESTORS ?? [],
    apiDocs: raw.API_DOCS,
    mcp: raw.MCP,
    /** Null: nothing is known about proxies. */
    trustProxy: raw.TRUST_PROXY ?? null,
    /** Of each process. */
    maxConnections: Math.ceil(raw.MAX_CONNECTIONS / processes),
    /** Null: no traces are exported. */
    traces: tracesOf(raw),
    auditDays: raw.AUDIT_DAYS,
    /** Whether the audit log has who watched and read what. */
    auditReads: raw.AUDIT_READS,
    /** Null: the log of the installation is sent nowhere. */
    auditStream: auditStream(raw),
    /** Requests per minute; 0 means no limit. */
    rateLimits: rateLimits(raw),
    logLevel: raw.LOG_LEVEL,
    /** Null: metrics are not served. */
    metrics: metricsSettings(raw),
  };
}

/** Together with a worker, all processes fit into the 100 connections that PostgreSQL allows by default. */
const poolSize = (processes: number): number => Math.min(10, Math.max(4, Math.floor(32 / processes)));

/** Null: unlimited. */
const quotaLimits = (raw: RawSettings, plan: 'FREE' | 'PRO' | 'ENTERPRISE') => ({
  /** Bytes. */
  storedBytes: raw[`QUOTA_${plan}_STORED_BYTES`] || null,
  recordings: raw[`QUOTA_${plan}_RECORDINGS`] || null,
  /** A day in UTC. */
  uploadsPerDay: raw[`QUOTA_${plan}_UPLOADS_PER_DAY`] || null,
});

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
  return url === undefined || model === undefined ? null : { url, model, apiKey: raw[`${name}_API_KEY`] };
}

/** By the names under which the packages of OpenTelemetry read them. */
function tracesOf(raw: RawSettings) {
  if (raw.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  const ofTraces = Object.entries(raw).filter(
    ([name, value]) => name.startsWith('OTEL_') && value !== undefined,
  );
  return Object.fromEntries(ofTraces) as { OTEL_SERVICE_NAME: string } & Record<string, string>;
}

const auditStream = ({
  AUDIT_STREAM_URL: url,
  AUDIT_STREAM_TOKEN: token,
  AUDIT_STREAM_FORMAT: format,
}: RawSettings) =>
  url === undefined ? null : ({ url, token: token ?? null, format: format ?? 'ndjson' } as const);

function mailSettings({ SMTP_URL: server, MAIL_FROM: from }: RawSettings) {
  return server && from ? { server, from } : null;
}

const metricsSettings = ({ METRICS_PORT: port, METRICS_HOST: host, METRICS_TOKEN: token }: RawSettings) =>
  port === undefined ? null : { host: host ?? '127.0.0.1', port, token: token ?? null };
