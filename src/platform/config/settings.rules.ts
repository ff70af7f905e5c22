import type { SettingName } from './settings.schema.js';

/** The settings that are not empty, as they are written. */
export type GivenSettings = Readonly<Partial<Record<SettingName, string>>>;

type Rule = readonly [isBroken: (given: GivenSettings) => unknown, problem: string];

const ofModelServer = (name: 'TRANSCRIPTION' | 'CHAT'): Rule[] => [
  [
    (given) => !given[`${name}_URL`] && (given[`${name}_MODEL`] ?? given[`${name}_API_KEY`]),
    `${name}_MODEL and ${name}_API_KEY require ${name}_URL`,
  ],
  [(given) => given[`${name}_URL`] && !given[`${name}_MODEL`], `${name}_URL requires ${name}_MODEL`],
];

/** Hosts that only this machine reaches. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/** What settings demand of each other. */
export const RULES: readonly Rule[] = [
  [
    ({ DEMO, DATABASE_URL }) => DEMO === 'true' && DATABASE_URL,
    'DEMO=true requires the embedded database; unset DATABASE_URL or DEMO',
  ],
  [
    ({ DATABASE_URL, DATABASE_DIRECT_URL }) => DATABASE_DIRECT_URL && !DATABASE_URL,
    'DATABASE_DIRECT_URL requires DATABASE_URL',
  ],
  [
    ({ DATABASE_URL, DATABASE_REPLICA_URL }) => DATABASE_REPLICA_URL && !DATABASE_URL,
    'DATABASE_REPLICA_URL requires DATABASE_URL',
  ],
  [
    ({ CONTENT_KEY, CONTENT_KEY_COMMAND }) => CONTENT_KEY && CONTENT_KEY_COMMAND,
    'CONTENT_KEY_COMMAND has no effect with CONTENT_KEY; unset one',
  ],
  [
    (given) => given.CONTENT_KEY_PREVIOUS && !given.CONTENT_KEY && !given.CONTENT_KEY_COMMAND,
    'CONTENT_KEY_PREVIOUS requires CONTENT_KEY or CONTENT_KEY_COMMAND',
  ],
  [
    ({ SPEECH_MODEL_DIR, TRANSCRIPTION_URL }) => SPEECH_MODEL_DIR && TRANSCRIPTION_URL,
    'SPEECH_MODEL_DIR has no effect with TRANSCRIPTION_URL; unset one',
  ],
  ...ofModelServer('TRANSCRIPTION'),
  ...ofModelServer('CHAT'),
  [({ SMTP_URL, MAIL_FROM }) => SMTP_URL && !MAIL_FROM, 'SMTP_URL requires MAIL_FROM'],
  [({ SMTP_URL, MAIL_FROM }) => MAIL_FROM && !SMTP_URL, 'MAIL_FROM requires SMTP_URL'],
  [
    (given) => !given.S3_ACCESS_KEY_ID !== !given.S3_SECRET_ACCESS_KEY,
    'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together',
  ],
  [
    (given) => !given.BACKUP_S3_ACCESS_KEY_ID !== !given.BACKUP_S3_SECRET_ACCESS_KEY,
    'BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY must be set together',
  ],
  [
    (given) => !given.METRICS_PORT && (given.METRICS_HOST ?? given.METRICS_TOKEN),
    'METRICS_HOST and METRICS_TOKEN require METRICS_PORT',
  ],
  [
    ({ METRICS_HOST, METRICS_TOKEN }) => METRICS_HOST && !LOOPBACK.test(METRICS_HOST) && !METRICS_TOKEN,
    'METRICS_HOST requires METRICS_TOKEN, unless it is an address of this machine alone such as 127.0.0.1, as others could read the metrics',
  ],
  [
    (given) => !given.AUDIT_STREAM_URL && (given.AUDIT_STREAM_TOKEN ?? given.AUDIT_STREAM_FORMAT),
    'AUDIT_STREAM_TOKEN and AUDIT_STREAM_FORMAT require AUDIT_STREAM_URL',
  ],
  [({ S3_ENDPOINT, S3_BUCKET }) => S3_ENDPOINT && !S3_BUCKET, 'S3_ENDPOINT requires S3_BUCKET'],
];
