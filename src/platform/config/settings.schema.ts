import { z } from '../../lib/zod.js';
import { AUDIT_STREAM_FORMATS } from './audit-stream-formats.js';
import { BUDGETS } from './budgets.js';
import { identityProviders } from './identity-providers.js';
import { mailbox, mailLanguage, smtpUrl } from './mail-settings.js';
import {
  addresses,
  flag,
  headerToken,
  hidden,
  httpUrl,
  language,
  limit,
  operatorUrl,
  origins,
  postgresUrl,
  secret,
  wholeNumber,
} from './setting-types.js';
import { rangeText } from '../../lib/amounts.js';

/** Characters of `ADVICE_CONTACT`. */
const CONTACT = { min: 1, max: 200 } as const;

/** A hundred years. */
const MAX_RETENTION_DAYS = 36_500;

/** Every setting of the service, with its check and default. `.env.example` says what each is for. */
export const SETTINGS_SCHEMA = z.object({
  // Address
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  PUBLIC_URL: httpUrl('http:', 'https:')
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  WEB_CONCURRENCY: wholeNumber(1, 64).optional(),

  // Data
  DATA_DIR: z.string().default('.data'),
  MIN_FREE_DISK: wholeNumber(0, 1_000_000_000_000).default(536_870_912),
  DEMO: flag().optional(),
  DATABASE_URL: hidden(postgresUrl().optional()),
  DATABASE_DIRECT_URL: hidden(postgresUrl().optional()),
  DATABASE_REPLICA_URL: hidden(postgresUrl().optional()),
  DATABASE_POOL_SIZE: wholeNumber(2, 500).optional(),
  S3_BUCKET: z.string().optional(),
  S3_ENDPOINT: httpUrl('http:', 'https:').optional(),
  S3_PUBLIC_ENDPOINT: httpUrl('http:', 'https:').optional(),
  S3_PRESIGNED_URLS: flag().default(true),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: hidden(z.string().optional()),
  BACKUP_S3_ENDPOINT: httpUrl('http:', 'https:').optional(),
  BACKUP_S3_REGION: z.string().optional(),
  BACKUP_S3_ACCESS_KEY_ID: z.string().optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: hidden(z.string().optional()),

  // Keys
  URL_SIGNING_KEY: secret(),
  URL_SIGNING_KEY_PREVIOUS: secret(),
  SEALING_KEY: secret(),
  SEALING_KEY_PREVIOUS: secret(),
  CONTENT_KEY: secret(),
  CONTENT_KEY_COMMAND: hidden(z.string().optional()),
  CONTENT_KEY_PREVIOUS: secret(),

  // Uploads and media
  MAX_UPLOAD_SIZE: wholeNumber(1, 1_000_000_000_000).default(10_737_418_240),
  MAX_OPEN_UPLOADS: wholeNumber(1, 100_000).default(20),
  UPLOAD_IDLE_TIMEOUT: wholeNumber(1, 2_592_000).default(3600),
  MEDIA_URL_TTL: wholeNumber(10, 604_800).default(3600),
  ALLOW_PRIVATE_ADDRESSES: flag().default(false),
  FFMPEG_PATH: z.string().optional(),
  BIN_DAYS: wholeNumber(0, 365).default(0),

  // Transcription
  AUTO_TRANSCRIBE: flag().default(true),
  SPEECH_LANGUAGE: language().optional(),
  SPEECH_MODEL_DIR: z.string().optional(),
  SPEECH_DIARIZATION_DIR: z.string().optional(),
  SPEECH_THREADS: wholeNumber(1, 64).optional(),
  TRANSCRIPTION_URL: httpUrl('http:', 'https:').optional(),
  TRANSCRIPTION_MODEL: z.string().optional(),
  TRANSCRIPTION_API_KEY: hidden(z.string().optional()),

  // Summaries and answers
  AUTO_SUMMARIZE: flag().default(true),
  CHAT_URL: httpUrl('http:', 'https:').optional(),
  CHAT_MODEL: z.string().optional(),
  CHAT_API_KEY: hidden(z.string().optional()),
  CHAT_MAX_TOKENS: wholeNumber(0, 1_000_000_000).default(500_000),
  CHAT_ANSWER_SECONDS: wholeNumber(1, 600).default(60),

  // Mail
  SMTP_URL: hidden(smtpUrl().optional()),
  MAIL_FROM: mailbox().optional(),
  MAIL_LANGUAGE: mailLanguage().default('en'),

  // Signing in
  IDENTITY_PROVIDERS: hidden(identityProviders().optional()),

  // Browsers and proxies
  CORS_ORIGINS: origins(),
  SHARE_FRAME_ANCESTORS: origins(),
  API_DOCS: flag().default(true),
  MCP: flag().default(true),
  TRUST_PROXY: addresses(),
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000).default(4_000),

  // Workers and logs
  WORKER_CONCURRENCY: wholeNumber(1, 64).default(2),
  WORKER_HEALTH_PORT: wholeNumber(0, 65_535).optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be one of fatal, error, warn, info, debug, trace, silent',
    })
    .default('info'),
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
  METRICS_HOST: z.string().optional(),
  METRICS_TOKEN: secret(),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl('http:', 'https:').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: hidden(z.string().optional()),
  OTEL_SERVICE_NAME: z.string().default('meeting-recording-service'),
  OTEL_TRACES_SAMPLER: z
    .string()
    .regex(/^(parentbased_)?(always_on|always_off|traceidratio)$/, {
      error: 'must be always_on, always_off or traceidratio, or parentbased_ and one of these',
    })
    .optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0?\.\d+|0|1)$/, { error: 'must be a number from 0 to 1' })
    .optional(),
  AUDIT_DAYS: wholeNumber(30, 36_500).default(400),
  AUDIT_READS: flag().default(false),
  AUDIT_STREAM_URL: hidden(operatorUrl().optional()),
  AUDIT_STREAM_TOKEN: hidden(headerToken().optional()),
  AUDIT_STREAM_FORMAT: z
    .enum(AUDIT_STREAM_FORMATS, { error: `must be one of ${AUDIT_STREAM_FORMATS.join(', ')}` })
    .optional(),

  // Plans and quotas
  DEFAULT_PLAN: z.enum(['FREE', 'PRO'], { error: 'must be FREE or PRO' }).default('PRO'),
  ADVICE_CONTACT: z
    .string()
    .regex(new RegExp(`^[^\\p{C}\\p{Zl}\\p{Zp}]{${CONTACT.min},${CONTACT.max}}$`, 'u'), {
      error: `must be ${rangeText(CONTACT)} characters on one line`,
    })
    .optional(),
  QUOTA_FREE_STORED_BYTES: limit(Number.MAX_SAFE_INTEGER, 53_687_091_200),
  QUOTA_FREE_RECORDINGS: limit(Number.MAX_SAFE_INTEGER, 5_000),
  QUOTA_FREE_UPLOADS_PER_DAY: limit(Number.MAX_SAFE_INTEGER, 200),
  QUOTA_PRO_STORED_BYTES: limit(Number.MAX_SAFE_INTEGER, 1_099_511_627_776),
  QUOTA_PRO_RECORDINGS: limit(Number.MAX_SAFE_INTEGER, 100_000),
  QUOTA_PRO_UPLOADS_PER_DAY: limit(Number.MAX_SAFE_INTEGER, 2_000),
  QUOTA_ENTERPRISE_STORED_BYTES: limit(Number.MAX_SAFE_INTEGER, 0),
  QUOTA_ENTERPRISE_RECORDINGS: limit(Number.MAX_SAFE_INTEGER, 0),
  QUOTA_ENTERPRISE_UPLOADS_PER_DAY: limit(Number.MAX_SAFE_INTEGER, 0),
  PERSONAL_RETENTION_DAYS: limit(MAX_RETENTION_DAYS, 0),
  RETENTION_MAX_DAYS_FREE: limit(MAX_RETENTION_DAYS, 0),
  RETENTION_MAX_DAYS_PRO: limit(MAX_RETENTION_DAYS, 0),
  RETENTION_MAX_DAYS_ENTERPRISE: limit(MAX_RETENTION_DAYS, 0),

  // Rate limits
  RATE_LIMIT_PER_MINUTE: limit(1_000_000, BUDGETS.user.perMinute),
  RATE_LIMIT_COSTLY_PER_MINUTE: limit(1_000_000, BUDGETS.userCostly.perMinute),
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: limit(1_000_000, BUDGETS.anonymous.perMinute),
  RATE_LIMIT_PASSWORDS_PER_MINUTE: limit(1_000_000, BUDGETS.anonymousCostly.perMinute),
  RATE_LIMIT_WRONG_KEYS_PER_MINUTE: limit(1_000_000, BUDGETS.wrongKeys.perMinute),
  RATE_LIMIT_ALL_WRONG_KEYS_PER_MINUTE: limit(1_000_000, BUDGETS.allWrongKeys.perMinute),
});

export type SettingName = keyof typeof SETTINGS_SCHEMA.shape;
export const SETTING_NAMES = Object.keys(SETTINGS_SCHEMA.shape) as readonly SettingName[];

/** Whether a setting is a secret as a whole; a URL may contain a password besides. */
export const isSecret = (name: SettingName): boolean =>
  SETTINGS_SCHEMA.shape[name].meta()?.['secret'] === true;

export const SECRET_SETTINGS = SETTING_NAMES.filter(isSecret);

export type RawSettings = z.output<typeof SETTINGS_SCHEMA>;
