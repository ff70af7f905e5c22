import type { components, paths, webhooks } from './schema.js';

/** What the API sends and takes, by the names in its document, such as `Schemas['RecordingDetail']`. */
export type Schemas = components['schemas'];

/** An event of a webhook or a stream: `type` says which, and so what `data` is. More types may be added. */
export type Event = {
  [Type in keyof webhooks]: webhooks[Type] extends {
    post: { requestBody: { content: { 'application/json': infer Sent } } };
  }
    ? Sent
    : never;
}[keyof webhooks];

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that have an operation of this method, without `/api/v1`: `/recordings/{id}`. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path][M] extends object ? Path : never;
}[keyof paths];

type Operation<M extends Method, P extends PathOf<M>> = paths[P][M];

type Content<O> = O extends { responses: infer Responses }
  ? {
      [Status in keyof Responses & (200 | 201 | 202)]: Responses[Status] extends { content: infer C }
        ? C
        : never;
    }[keyof Responses & (200 | 201 | 202)]
  : never;

/** A whole reply: `data`, with `pagination` where there are pages. */
export type Body<M extends Method, P extends PathOf<M>> =
  Content<Operation<M, P>> extends { 'application/json': infer Json } ? Json : undefined;

/** The `data` of a reply; undefined for operations that reply without a body. */
export type Data<M extends Method, P extends PathOf<M>> =
  Body<M, P> extends { data: infer D } ? D : undefined;

/** The paths of `GET` whose replies can also be text: captions, Markdown, an export. */
export type TextPath = {
  [P in PathOf<'get'>]: keyof Content<Operation<'get', P>> extends 'application/json' | 'text/event-stream'
    ? never
    : P;
}[PathOf<'get'>];

type ItemOf<D> = D extends readonly (infer Listed)[]
  ? Listed
  : D extends { segments: readonly (infer Segment)[] }
    ? Segment
    : D extends { transcript: infer Transcript }
      ? ItemOf<NonNullable<Transcript>>
      : never;

/** The paths of everything that can be listed; of a transcript and a share, the segments. */
export type ListPath = {
  [P in PathOf<'get'>]: [ItemOf<Data<'get', P>>] extends [never] ? never : P;
}[PathOf<'get'>];

export type Item<P extends ListPath> = ItemOf<Data<'get', P>>;

/** What every call takes. */
export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that each attempt may take. By default that of the client. */
  readonly timeout?: number | undefined;
  /** How often the call is repeated after an error that may pass. By default that of the client. */
  readonly retries?: number | undefined;
}

/** Contents of a file, sent as they are. */
export type FileBody = string | Blob | ArrayBuffer | Uint8Array | FormData;

type Parameters<O, In extends string> = O extends { parameters: infer Where }
  ? In extends keyof Where
    ? NonNullable<Where[In]>
    : never
  : never;

/** Present if there are any, required if one of them is. */
type Group<Name extends string, Fields> = [Fields] extends [never]
  ? { readonly [One in Name]?: never }
  : object extends Fields
    ? { readonly [One in Name]?: Fields }
    : { readonly [One in Name]: Fields };

type HeaderName<O> = [Parameters<O, 'header'>] extends [never] ? never : keyof Parameters<O, 'header'>;
/** Not those that are options of their own. */
type OtherHeader<O> = Exclude<HeaderName<O>, 'Idempotency-Key' | 'If-Match'>;
type OtherHeaders<O> = [OtherHeader<O>] extends [never]
  ? never
  : Pick<Parameters<O, 'header'>, OtherHeader<O>>;

type Revision<O> =
  'If-Match' extends HeaderName<O>
    ? {
        /** The `revision` that the change is based on: refused with `PreconditionFailedError` if there has been another since. */
        readonly revision?: number;
      }
    : { readonly revision?: never };

type RepeatKey<O> =
  'Idempotency-Key' extends HeaderName<O>
    ? {
        /** New for each call by default. Give one to repeat a call in another process. */
        readonly idempotencyKey?: string;
      }
    : { readonly idempotencyKey?: never };

type JsonOf<C> = C extends { 'application/json': infer Json } ? Json : never;
type FileType<C> = Exclude<keyof C, 'application/json' | 'multipart/form-data'>;

type Bodies<C> =
  | ([JsonOf<C>] extends [never] ? never : { readonly body: JsonOf<C>; readonly contentType?: never })
  | ([FileType<C>] extends [never] ? never : { readonly body: FileBody; readonly contentType?: FileType<C> });

type RequestBody<O> = O extends { requestBody: { content: infer C } }
  ? Bodies<C>
  : O extends { requestBody?: { content: infer C } }
    ? Bodies<C> | { readonly body?: never }
    : { readonly body?: never };

/** What an operation takes: its parameters, its body, and what every call takes. */
export type Options<M extends Method, P extends PathOf<M>> = CallOptions &
  Group<'path', Parameters<Operation<M, P>, 'path'>> &
  Group<'query', Parameters<Operation<M, P>, 'query'>> &
  Group<'header', OtherHeaders<Operation<M, P>>> &
  Revision<Operation<M, P>> &
  RepeatKey<Operation<M, P>> &
  RequestBody<Operation<M, P>>;

/** The last argument of a call: optional if nothing in it is required. */
export type Arguments<M extends Method, P extends PathOf<M>> =
  object extends Options<M, P> ? [options?: Options<M, P>] : [options: Options<M, P>];
