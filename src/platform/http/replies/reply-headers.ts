import type { Response } from 'express';
import { JsonText } from './json-text.js';

/** Below `/api/v1`: `/recordings/{id}`, with a field of the reply; `/organizations/:id/folders`, of the own path. */
export type Location = `/${string}`;

/** What will be removed, and when. Dates are days in UTC: `2027-01-31`. */
export interface Deprecation {
  readonly since: string;
  /** From when on it may be missing; at least a year after `since`. */
  readonly sunset: string;
  /** Where people read what to use instead, below `PUBLIC_URL`: `/docs/guide/versioning#deprecated`. */
  readonly link: `/${string}`;
}

/**
 * What the successful replies of an operation have in common besides their body: metadata of its handler, applied when
 * the reply is sent. As data, because an interceptor for each of them costs a request 10 µs.
 */
export interface ReplyOptions {
  /** May be compressed: the JSON holds no secret, that is, no key, token or signed URL. */
  readonly compressed?: true;
  /** `revision` is the `ETag`. `partial`: the reply also has what changes without it, so no copy is current. */
  readonly etag?: 'whole' | 'partial';
  readonly location?: Location;
  readonly deprecated?: Deprecation;
  /** Fields of `data` that only the first reply to an `Idempotency-Key` has; the kept one has null, and `notice`. */
  readonly secrets?: { readonly at: readonly string[]; readonly notice: string };
}

declare global {
  namespace Express {
    interface Response {
      /** Those of the operation that the request is for. */
      replyOptions?: ReplyOptions | undefined;
    }
  }
}

/** The name of the local of the Express app with the path of `PUBLIC_URL`. */
export const PUBLIC_PATH = 'publicPath';

const OPTIONS = Symbol('REPLY_OPTIONS');
const PLACES = /:(\w+)|\{([\w.]+)\}/g;

/** Adds options to those that other decorators have given the operation. */
export const RepliesWith =
  (options: ReplyOptions): MethodDecorator =>
  (_target, _key, { value }) => {
    const handler = value as object;
    Reflect.defineMetadata(OPTIONS, { ...replyOptionsOf(handler), ...options }, handler);
  };

export const replyOptionsOf = (handler: object): ReplyOptions | undefined =>
  Reflect.getMetadata(OPTIONS, handler) as ReplyOptions | undefined;

/** The envelope of what a creating operation found to exist already: sent with status 200 and without a `Location`. */
export class ExistingReply<T> {
  constructor(readonly data: T) {}
}

/** Returns the envelope of a reply with status 201 for what is new, and otherwise 200. */
export const replyWith = <T>(data: T, { isNew }: { readonly isNew: boolean }): { readonly data: T } =>
  isNew ? { data } : new ExistingReply(data);

/** Sets the headers that follow from the options. A `JsonText` carries its own. */
export function setReplyHeaders(response: Response, body: unknown): void {
  const { etag, location } = response.replyOptions ?? {};
  if (body instanceof JsonText || (!etag && !location)) return;
  const { data } = body as { readonly data?: { readonly revision?: unknown } };
  if (etag && typeof data?.revision === 'number') response.setHeader('ETag', `"${data.revision}"`);
  if (location && !(body instanceof ExistingReply))
    response.setHeader('Location', pathOf(location, data, response));
}

/** A path, which clients resolve against the URL of their request: they never send their key to another host. */
function pathOf(location: Location, data: unknown, { app, req }: Response): string {
  const path = location.replace(PLACES, (_, parameter?: string, field = '') =>
    encodeURIComponent(parameter === undefined ? fieldOf(data, field) : String(req.params[parameter])),
  );
  return `${String(app.locals[PUBLIC_PATH])}/api/v1${path}`;
}

function fieldOf(data: unknown, name: string): string {
  let value = data;
  for (const part of name.split('.')) value = (value as Record<string, unknown>)[part];
  if (typeof value !== 'string') throw new Error(`The reply has no field "${name}" for its Location`);
  return value;
}
