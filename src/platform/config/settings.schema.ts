import { z } from 'zod';

const TRUE = 'true';
const FALSE = 'false';

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be an integer from ${min} to ${max}`,
    })
    .transform(Number);

const webAddress = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `must be a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

/** Origins, separated by commas; `*` for all. */
const origins = () =>
  z
    .string()
    .transform((text) => text.split(',').map((origin) => origin.trim()))
    .refine((list) => list.every((origin) => origin === '*' || isOrigin(origin)), {
      error: 'must be a comma-separated list of origins such as https://app.example.com, or *',
    })
    .optional();

const flag = () =>
  z.enum([TRUE, FALSE], { error: 'must be true or false' }).transform((text) => text === TRUE);

/**
 * Every setting of the service: name, check, default and what it is for. `.env.example` and the table in the README
 * are written from it (`npm run settings`).
 */
export const SETTINGS_SCHEMA = z.object({
  HOST: z
    .string()
    .default('127.0.0.1')
    .meta({ description: 'Address to listen on; `0.0.0.0` for every network interface.' }),
  PORT: wholeNumber(0, 65_535)
    .default(3000)
    .meta({ description: 'Port to listen on; `0` takes any free one.' }),
  PUBLIC_URL: webAddress('http:', 'https:')
    .transform((text) => text.replace(/\/+$/, ''))
    .optional()
    .meta({
      description:
        'Address that clients reach the service at; links are built from it. Unset: `http://localhost:PORT`.',
      example: 'https://meetings.example.com',
    }),
  DATA_DIR: z
    .string()
    .default('.data')
    .meta({ description: 'Folder of media files, generated keys and the embedded PostgreSQL.' }),
  DATABASE_URL: webAddress('postgres:', 'postgresql:').optional().meta({
    description: 'PostgreSQL 15 or newer to use. Unset: the embedded PostgreSQL under `DATA_DIR`.',
    example: 'postgres://user:password@localhost:5432/meetings',
  }),
  DATABASE_POOL_SIZE: wholeNumber(2, 500)
    .default(10)
    .meta({ description: 'Most connections to PostgreSQL that requests of one process share.' }),
  DEMO: flag().optional().meta({
    description:
      'Load the demo workspace into an empty embedded database. Unset: `true` there, and never with `DATABASE_URL`.',
    example: 'true',
  }),
  URL_SIGNING_KEY: z.string().min(32, { error: 'must have at least 32 characters' }).optional().meta({
    description:
      'Secret that signs media addresses; the same for every process. Unset: generated once into `DATA_DIR`.',
    example: 'the output of: openssl rand -hex 32',
  }),
  MEDIA_URL_TTL: wholeNumber(10, 604_800)
    .default(3600)
    .meta({ description: 'Seconds for which `videoUrl`, `hlsUrl` and `downloadUrl` work.' }),
  MAX_UPLOAD_SIZE: wholeNumber(1, 1_000_000_000_000)
    .default(10_737_418_240)
    .meta({ description: 'Most bytes of one upload.' }),
  MAX_OPEN_UPLOADS: wholeNumber(1, 100_000)
    .default(20)
    .meta({ description: 'Most uploads that one user may have open at a time.' }),
  UPLOAD_IDLE_TIMEOUT: wholeNumber(1, 2_592_000).default(3600).meta({
    description:
      'Seconds after which an upload that nobody continues is closed: processed if it plays, `ERROR` if not.',
  }),
  WORKER_CONCURRENCY: wholeNumber(1, 64).default(2).meta({
    description:
      'Jobs that one worker process runs at a time. One user, or one organization, has at most half of all places, rounded up.',
  }),
  FFMPEG_PATH: z.string().optional().meta({
    description: 'FFmpeg to package media with (`ffprobe` beside it). Unset: the built-in packager.',
    example: '/usr/bin/ffmpeg',
  }),
  TRANSCRIPTION_URL: webAddress('http:', 'https:').optional().meta({
    description:
      'Base address of a server with the OpenAI transcription interface, to which the sound of meetings is sent. Unset: transcripts are sent in, not made.',
    example: 'http://localhost:8000/v1',
  }),
  TRANSCRIPTION_MODEL: z.string().optional().meta({
    description: 'Model that transcribes; needed with `TRANSCRIPTION_URL`.',
    example: 'whisper-1',
  }),
  TRANSCRIPTION_API_KEY: z
    .string()
    .optional()
    .meta({ description: 'Key of the transcription server, where it wants one.' }),
  CHAT_URL: webAddress('http:', 'https:').optional().meta({
    description:
      'Base address of a server with the OpenAI chat interface, to which transcripts are sent for summaries and answers. Unset: both are made of the sentences of the transcript, here.',
    example: 'http://localhost:11434/v1',
  }),
  CHAT_MODEL: z.string().optional().meta({
    description: 'Model that writes summaries and answers; needed with `CHAT_URL`.',
    example: 'gpt-4.1-mini',
  }),
  CHAT_API_KEY: z.string().optional().meta({ description: 'Key of the chat server, where it wants one.' }),
  S3_BUCKET: z.string().optional().meta({
    description: 'Bucket of an S3 service to keep files in. Unset: files lie under `DATA_DIR`.',
    example: 'meetings',
  }),
  S3_ENDPOINT: webAddress('http:', 'https:').optional().meta({
    description: 'Address of the S3 service. Unset: Amazon S3.',
    example: 'https://s3.example.com',
  }),
  S3_PUBLIC_ENDPOINT: webAddress('http:', 'https:').optional().meta({
    description: 'Address at which clients reach the S3 service. Unset: `S3_ENDPOINT`.',
    example: 'https://media.example.com',
  }),
  S3_REGION: z.string().default('us-east-1').meta({ description: 'Region of the bucket.' }),
  S3_ACCESS_KEY_ID: z.string().optional().meta({
    description:
      'Access key of the S3 service. Unset: the default credentials of the AWS SDK (profile, role of the machine).',
    example: 'AKIA...',
  }),
  S3_SECRET_ACCESS_KEY: z.string().optional().meta({
    description: 'Secret of `S3_ACCESS_KEY_ID`.',
    example: 'the secret that came with the access key',
  }),
  CORS_ORIGINS: origins().meta({
    description:
      'Sites whose scripts may call the API, separated by commas; `*` for all. Unset: none but its own.',
    example: 'https://app.example.com',
  }),
  SHARE_FRAME_ANCESTORS: origins().meta({
    description: 'Sites that may show share pages in a frame, separated by commas; `*` for all. Unset: none.',
    example: 'https://intranet.example.com',
  }),
  RATE_LIMIT_PER_MINUTE: wholeNumber(0, 1_000_000)
    .default(0)
    .meta({ description: 'Most requests a minute with one API key, per process; `0` for no limit.' }),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be one of fatal, error, warn, info, debug, trace, silent',
    })
    .default('info')
    .meta({
      description: 'Least severe log lines to write; `trace` adds every SQL statement, without its values.',
    }),
});

export type RawSettings = z.output<typeof SETTINGS_SCHEMA>;
