export { MeetingRecordings } from './client.js';
export * from './error-classes.js';
export * from './errors.js';
export { verifyWebhook } from './webhooks.js';
export type { EventOptions, StreamedEvent } from './events.js';
export type { ReadableSource, Source } from './sources.js';
export type { ClientOptions } from './transport.js';
export type {
  CallOptions,
  Data,
  Event,
  FileBody,
  Item,
  ListPath,
  Options,
  PathOf,
  Schemas,
} from './types.js';
export type { BegunUpload, Progress, UploadOptions } from './uploads.js';
export type { Awaited, WaitOptions } from './waiting.js';
export type { RequestHeaders, VerifyOptions } from './webhooks.js';
