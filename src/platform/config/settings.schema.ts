import { z } from '../../lib/zod.js';
import { BUDGETS } from './budgets.js';
import { mailbox, mailLanguage, smtpUrl } from './mail-settings.js';
import {
  addresses,
  flag,
  httpUrl,
  language,
  origins,
  perMinute,
  recordings,
  secret,
  storedBytes,
  uploadsPerDay,
  wholeNumber,
} from './setting-types.js';

/**
 * Every setting of the service: name, check, default and what it is for. `.env.example` and the tables in
 * `docs/configuration.md` are generated from it (`npm run settings`).
 */
export const SETTINGS_SCHEMA = z.object({
  HOST: z
    .string()
    .default('127.0.0.1')
    .meta({ description: 'Address to listen on. `0.0.0.0` listens on all network interfaces.' }),
  PORT: wholeNumber(0, 65_535)
    .default(3000)
    .meta({ description: 'Port to listen on. `0` picks a free port.' }),
  PUBLIC_URL: httpUrl('http:', 'https:')
    .transform((text) => text.replace(/\/+$/, ''))
    .optional()
    .meta({
      description:
        'URL under which clients reach the service; used to build links. Default: `http://localhost:PORT`.',
      example: 'https://meetings.example.com',
    }),
  WEB_CONCURRENCY: wholeNumber(1, 64).optional().meta({
    description:
      'Number of processes that serve the API on `PORT`. Default: with `npm start` the number of cores, at most 8; otherwise 1.',
    example: '4',
  }),
  DATA_DIR: z
    .string()
    .default('.data')
    .meta({ description: 'Directory for media files, generated keys and the embedded PostgreSQL.' }),
  DEMO: flag().optional().meta({
    description:
      'Whether to load the demo workspace into an empty embedded database. Default: `true`; not available with `DATABASE_URL`.',
    example: 'true',
  }),
  DATABASE_URL: httpUrl('postgres:', 'postgresql:').optional().meta({
    description:
      'Connection URL of a PostgreSQL server, version 15 or later. Default: the embedded PostgreSQL in `DATA_DIR`.',
    example: 'postgres://user:password@localhost:5432/meetings',
  }),
  DATABASE_POOL_SIZE: wholeNumber(2, 500).optional().meta({
    description:
      'Maximum number of PostgreSQL connections that each process uses for requests. Default: 10; with more than three API processes, 32 divided among them, at least 4.',
    example: '10',
  }),
  S3_BUCKET: z.string().optional().meta({
    description: 'S3 bucket to store files in. Default: files are stored in `DATA_DIR`.',
    example: 'meetings',
  }),
  S3_ENDPOINT: httpUrl('http:', 'https:').optional().meta({
    description: 'URL of the S3 service. Default: Amazon S3.',
    example: 'https://s3.example.com',
  }),
  S3_PUBLIC_ENDPOINT: httpUrl('http:', 'https:').optional().meta({
    description: 'URL under which clients reach the S3 service. Default: `S3_ENDPOINT`.',
    example: 'https://media.example.com',
  }),
  S3_REGION: z.string().default('us-east-1').meta({ description: 'Region of the S3 bucket.' }),
  S3_ACCESS_KEY_ID: z.string().optional().meta({
    description: 'S3 access key ID. Default: the AWS SDK credential chain (profile, instance role).',
    example: 'AKIA...',
  }),
  S3_SECRET_ACCESS_KEY: z.string().optional().meta({
    description: 'S3 secret access key. Required with `S3_ACCESS_KEY_ID`.',
    example: 'the secret that came with the access key',
  }),
  URL_SIGNING_KEY: secret().meta({
    description:
      'Secret that signs media URLs and the access that passwords of share links give; the same in all processes. If it is lost, those stop working. Default: generated on first start and kept in `DATA_DIR`.',
    example: 'the output of: openssl rand -hex 32',
  }),
  URL_SIGNING_KEY_PREVIOUS: secret().meta({
    description:
      'Previous `URL_SIGNING_KEY`; what it signed keeps working. Remove it once that has expired, after a day or `MEDIA_URL_TTL`.',
    example: 'the value that URL_SIGNING_KEY had, or the content of the file url-signing-key in DATA_DIR',
  }),
  SEALING_KEY: secret().meta({
    description:
      'Secret that encrypts URLs of share links, URLs and secrets of webhooks, source URLs and event cursors; the same in all processes. Back it up: without it, the service does not start. Default: generated on first start and kept in `DATA_DIR`.',
    example: 'the output of: openssl rand -hex 32',
  }),
  SEALING_KEY_PREVIOUS: secret().meta({
    description:
      'Previous `SEALING_KEY`; what it encrypted can still be decrypted. Remove it after `npx mrs keys reseal`.',
    example: 'the value that SEALING_KEY had, or the content of the file sealing-key in DATA_DIR',
  }),
  MAX_UPLOAD_SIZE: wholeNumber(1, 1_000_000_000_000)
    .default(10_737_418_240)
    .meta({ description: 'Maximum upload size, in bytes.' }),
  MAX_OPEN_UPLOADS: wholeNumber(1, 100_000)
    .default(20)
    .meta({ description: 'Maximum number of unfinished uploads per user.' }),
  UPLOAD_IDLE_TIMEOUT: wholeNumber(1, 2_592_000).default(3600).meta({
    description:
      'Seconds without new data after which an unfinished upload is closed: processed if it is playable, otherwise `ERROR`.',
  }),
  MEDIA_URL_TTL: wholeNumber(10, 604_800)
    .default(3600)
    .meta({ description: 'Lifetime of `videoUrl`, `hlsUrl`, `captionsUrl` and `downloadUrl`, in seconds.' }),
  ALLOW_PRIVATE_ADDRESSES: flag().default(false).meta({
    description:
      'Whether a `source_url` or webhook may point to a private network or this machine, also with `http`. Link-local addresses and metadata services of clouds are never contacted.',
  }),
  FFMPEG_PATH: z.string().optional().meta({
    description:
      'Path of an FFmpeg binary to package media with; `ffprobe` must be in the same directory. Default: the built-in packager.',
    example: '/usr/bin/ffmpeg',
  }),
  AUTO_TRANSCRIBE: flag().default(true).meta({
    description:
      'Whether uploaded recordings are transcribed once they have been packaged, unless their `transcribe` is false; `POST .../transcription` works in any case.',
  }),
  SPEECH_LANGUAGE: language().optional().meta({
    description:
      'Spoken language of recordings that have no `language` of their own; `auto` detects it if the speech model can. Default: `en`; with `TRANSCRIPTION_URL`, `auto`.',
    example: 'en',
  }),
  SPEECH_MODEL_DIR: z.string().optional().meta({
    description:
      'Directory with a speech recognition model of sherpa-onnx, such as Whisper, Parakeet or SenseVoice. Default: the built-in model, which transcribes English.',
    example: '/srv/models/sherpa-onnx-whisper-base',
  }),
  SPEECH_DIARIZATION_DIR: z.string().optional().meta({
    description:
      'Directory with a speaker segmentation model and a speaker embedding model of sherpa-onnx, which tell who speaks in a mixed recording. Default: its speakers are not distinguished.',
    example: '/srv/models/diarization',
  }),
  SPEECH_THREADS: wholeNumber(1, 64).optional().meta({
    description:
      'Number of processor cores that a worker uses to recognize speech, with the lowest priority for what takes long. Default: all, but at most 4.',
    example: '2',
  }),
  TRANSCRIPTION_URL: httpUrl('http:', 'https:').optional().meta({
    description:
      'Base URL of an OpenAI-compatible transcription API. The audio of recordings is sent there. Default: speech is recognized by the service itself.',
    example: 'http://localhost:8000/v1',
  }),
  TRANSCRIPTION_MODEL: z.string().optional().meta({
    description: 'Transcription model. Required with `TRANSCRIPTION_URL`.',
    example: 'whisper-1',
  }),
  TRANSCRIPTION_API_KEY: z
    .string()
    .optional()
    .meta({ description: 'API key for `TRANSCRIPTION_URL`, if it requires one.' }),
  AUTO_SUMMARIZE: flag().default(true).meta({
    description:
      'Whether a recording is summarized once its transcript has been generated; `POST .../summary` works in any case.',
  }),
  CHAT_URL: httpUrl('http:', 'https:').optional().meta({
    description:
      'Base URL of an OpenAI-compatible chat API. Transcripts are sent there to write summaries and answer questions. Default: both are extracted from the transcript by the service itself.',
    example: 'http://localhost:11434/v1',
  }),
  CHAT_MODEL: z.string().optional().meta({
    description: 'Chat model. Required with `CHAT_URL`.',
    example: 'gpt-4.1-mini',
  }),
  CHAT_API_KEY: z.string().optional().meta({ description: 'API key for `CHAT_URL`, if it requires one.' }),
  CHAT_MAX_TOKENS: wholeNumber(0, 1_000_000_000).default(500_000).meta({
    description:
      'Maximum number of tokens, of requests and replies together, that one attempt to summarize a meeting takes. Parts for which none are left are summarized without the chat server. `0`: no limit.',
  }),
  CHAT_ANSWER_SECONDS: wholeNumber(1, 600).default(60).meta({
    description:
      'Seconds that a question waits for the chat server, in which its whole reply must have arrived. After that, it is answered with passages of the transcript.',
  }),
  SMTP_URL: smtpUrl().optional().meta({
    description:
      'Mail server, with user and password percent-encoded. `smtps://` uses TLS, `smtp://` STARTTLS if the server offers it; without it, no password is sent unless `?requireTLS=false`, and no email with `?requireTLS=true`. Default: no email is sent, and invitation links must be passed on manually.',
    example: 'smtp://user:password@mail.example.com:587',
  }),
  MAIL_FROM: mailbox().optional().meta({
    description: 'Sender address of emails. Required with `SMTP_URL`.',
    example: 'Acme Meetings <meetings@example.com>',
  }),
  MAIL_LANGUAGE: mailLanguage().default('en').meta({
    description: 'Default language of emails, `en` or `de`.',
  }),
  CORS_ORIGINS: origins().meta({
    description:
      'Comma-separated origins whose scripts may call the API; `*` allows all. Default: same origin only. Media URLs are signed and can be played on any site.',
    example: 'https://app.example.com',
  }),
  SHARE_FRAME_ANCESTORS: origins().meta({
    description:
      'Comma-separated origins that may embed share pages in a frame; `*` allows all. Default: none.',
    example: 'https://intranet.example.com',
  }),
  API_DOCS: flag().default(true).meta({
    description: 'Whether the API docs are served at `/docs`, as a page (Swagger UI), JSON and YAML.',
  }),
  MCP: flag().default(true).meta({
    description: 'Whether language models can use the service at `/mcp` (Model Context Protocol).',
  }),
  TRUST_PROXY: addresses().meta({
    description:
      'Comma-separated addresses, ranges (`10.0.0.0/8`) or range names (`loopback`, `linklocal`, `uniquelocal`) of proxies whose `X-Forwarded-For` names the client; `none` if there are none. Default: none is trusted.',
    example: '10.0.0.0/8',
  }),
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000).default(4_000).meta({
    description:
      'Maximum number of HTTP connections at the same time, divided among the API processes; more are closed. Each takes up to two open files (`ulimit -n`).',
  }),
  WORKER_CONCURRENCY: wholeNumber(1, 64).default(2).meta({
    description:
      'Number of uploads that a worker process receives at the same time, and of conversions and other jobs that it runs beside them.',
  }),
  WORKER_HEALTH_PORT: wholeNumber(0, 65_535).optional().meta({
    description:
      'Port on `HOST` where a worker that runs jobs answers `/health/live` and `/health/ready`. Default: none. Each worker of a machine needs its own.',
    example: '3001',
  }),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be one of fatal, error, warn, info, debug, trace, silent',
    })
    .default('info')
    .meta({
      description:
        'Minimum severity of log lines. `trace` also logs SQL statements, without parameter values.',
    }),
  AUDIT_DAYS: wholeNumber(30, 36_500).default(400).meta({
    description:
      'Number of days for which the audit log is kept; older entries are deleted in whole months (UTC).',
  }),
  DEFAULT_PLAN: z.enum(['FREE', 'PRO'], { error: 'must be FREE or PRO' }).default('PRO').meta({
    description:
      'Plan of new users and organizations, but never higher than that of the user who creates or invites them, unless that is an operator. Imported ones get `FREE`.',
  }),
  ADVICE_CONTACT: z
    .string()
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u, { error: 'must be 1 to 200 characters on one line' })
    .optional()
    .meta({
      description:
        'Whom errors tell callers to ask, such as an email address or a URL, in place of what an operator can do (`npx mrs ...`, settings). Default: they say what an operator can do.',
      example: 'support@example.com',
    }),
  QUOTA_FREE_STORED_BYTES: storedBytes('FREE', 53_687_091_200),
  QUOTA_FREE_RECORDINGS: recordings('FREE', 5_000),
  QUOTA_FREE_UPLOADS_PER_DAY: uploadsPerDay('FREE', 200),
  QUOTA_PRO_STORED_BYTES: storedBytes('PRO', 1_099_511_627_776),
  QUOTA_PRO_RECORDINGS: recordings('PRO', 100_000),
  QUOTA_PRO_UPLOADS_PER_DAY: uploadsPerDay('PRO', 2_000),
  QUOTA_ENTERPRISE_STORED_BYTES: storedBytes('ENTERPRISE', 0),
  QUOTA_ENTERPRISE_RECORDINGS: recordings('ENTERPRISE', 0),
  QUOTA_ENTERPRISE_UPLOADS_PER_DAY: uploadsPerDay('ENTERPRISE', 0),
  RATE_LIMIT_PER_MINUTE: perMinute(BUDGETS.user),
  RATE_LIMIT_COSTLY_PER_MINUTE: perMinute(BUDGETS.userCostly),
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: perMinute(BUDGETS.anonymous),
  RATE_LIMIT_PASSWORDS_PER_MINUTE: perMinute(BUDGETS.anonymousCostly),
  RATE_LIMIT_WRONG_KEYS_PER_MINUTE: perMinute(BUDGETS.wrongKeys),
  RATE_LIMIT_ALL_WRONG_KEYS_PER_MINUTE: perMinute(BUDGETS.allWrongKeys),
});

export type RawSettings = z.output<typeof SETTINGS_SCHEMA>;

/** Headings of the documentation, each before the setting that it names. */
export const SETTING_HEADINGS: Readonly<Record<string, string>> = {
  HOST: 'Address',
  DATA_DIR: 'Data',
  URL_SIGNING_KEY: 'Keys',
  MAX_UPLOAD_SIZE: 'Uploads and media',
  AUTO_TRANSCRIBE: 'Transcription',
  AUTO_SUMMARIZE: 'Summaries and answers',
  SMTP_URL: 'Mail',
  CORS_ORIGINS: 'Browsers and proxies',
  WORKER_CONCURRENCY: 'Workers and logs',
  DEFAULT_PLAN: 'Plans and quotas',
  RATE_LIMIT_PER_MINUTE: 'Rate limits',
} satisfies Partial<Record<keyof RawSettings, string>>;
