import type { Response } from 'express';
import { ExistingReply } from './existing-reply.js';
import { JsonText } from './json-text.js';

/**
 * Where a created resource can be read, below `/api/v1`. `:name` is a parameter of the operation's own path, `{name}`
 * or `{name.name}` a field of its reply: `/recordings/{id}`, `/organizations/:id/folders`.
 */
export type Location = `/${string}`;

/**
 * What the successful replies of an operation have in common besides their body: metadata of its handler, applied when
 * the reply is sent. As data, because an interceptor for each of them costs a request 10 µs.
 */
export interface ReplyTraits {
  /** May be compressed: the JSON holds no secret, that is, no key, token or signed URL. */
  readonly compressed?: true;
  /**
   * The `revision` of the reply is its `ETag`. `partial`: the reply also has what changes without it, such as signed
   * URLs, so a client's copy is never current.
   */
  readonly etag?: 'whole' | 'partial';
  readonly location?: Location;
  /**
   * Fields of `data` (`key`, `api_key.key`) that only the first reply has, to a request with an `Idempotency-Key`; the
   * kept one has null there, and `notice` beside `data`.
   */
  readonly secrets?: { readonly at: readonly string[]; readonly notice: string };
}

declare global {
  namespace Express {
    interface Response {
      /** Those of the operation that the request is for. */
      traits?: ReplyTraits | undefined;
    }
  }
}

/** The name of the local of the Express app with the path of `PUBLIC_URL`. */
export const PUBLIC_PATH = 'publicPath';

const TRAITS = Symbol('REPLY_TRAITS');
const PLACES = /:(\w+)|\{([\w.]+)\}/g;

/** Adds traits to those that other decorators have given the operation. */
export const HasReplyTraits =
  (traits: ReplyTraits): MethodDecorator =>
  (_target, _key, { value }) => {
    const handler = value as object;
    Reflect.defineMetadata(TRAITS, { ...traitsOf(handler), ...traits }, handler);
  };

export const traitsOf = (handler: object): ReplyTraits | undefined =>
  Reflect.getMetadata(TRAITS, handler) as ReplyTraits | undefined;

/** Sets the headers that follow from the traits. A `JsonText` carries its own. */
export function describeReply(response: Response, body: unknown): void {
  const { etag, location } = response.traits ?? {};
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
