import { events, type EventOptions, type StreamedEvent } from './events.js';
import { items } from './lists.js';
import type { Source } from './sources.js';
import { Transport, type Call, type ClientOptions } from './transport.js';
import type {
  Arguments,
  Body,
  CallOptions,
  Data,
  Item,
  ListPath,
  PathOf,
  Schemas,
  TextPath,
} from './types.js';
import { upload, type UploadOptions } from './uploads.js';
import { waitFor, type Awaited, type WaitOptions } from './waiting.js';

/**
 * A client of one Meeting Recording Service, as one API key sees it.
 *
 * All calls reject with an `ApiError` of the class that belongs to the error's code, a `ConnectionError` or a `TimeoutError`, after
 * they have been repeated where that is safe.
 */
export class MeetingRecordings {
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
  }

  /** The `data` of a reply to a `GET`: `get('/recordings/{id}', { path: { id } })`. */
  get<P extends PathOf<'get'>>(path: P, ...[options]: Arguments<'get', P>): Promise<Data<'get', P>> {
    return this.#data('get', path, options);
  }

  /** Creates or starts something; repeated, it happens once. */
  post<P extends PathOf<'post'>>(path: P, ...[options]: Arguments<'post', P>): Promise<Data<'post', P>> {
    return this.#data('post', path, options);
  }

  /** Replaces something, such as a transcript by that in a file. */
  put<P extends PathOf<'put'>>(path: P, ...[options]: Arguments<'put', P>): Promise<Data<'put', P>> {
    return this.#data('put', path, options);
  }

  /** Changes something; with `revision`, only if nobody else has changed it since. */
  patch<P extends PathOf<'patch'>>(path: P, ...[options]: Arguments<'patch', P>): Promise<Data<'patch', P>> {
    return this.#data('patch', path, options);
  }

  /** Deletes or revokes something. */
  delete<P extends PathOf<'delete'>>(
    path: P,
    ...[options]: Arguments<'delete', P>
  ): Promise<Data<'delete', P>> {
    return this.#data('delete', path, options);
  }

  /** A reply as text, where `query.format` asks for it: captions, Markdown, an export. */
  async text<P extends TextPath>(path: P, ...[options]: Arguments<'get', P>): Promise<string> {
    const { data } = await this.#transport.call('get', path, callOf(options), 'text');
    return data as string;
  }

  /** Every item of a list, for `for await`: pages are requested as they are needed. Of a transcript, its segments. */
  list<P extends ListPath>(path: P, ...[options]: Arguments<'get', P>): AsyncGenerator<Item<P>, void> {
    return items(this.#transport, path, callOf(options)) as AsyncGenerator<Item<P>, void>;
  }

  /** One page of a list, with all of the reply: `{ data, pagination }`. */
  async page<P extends PathOf<'get'>>(path: P, ...[options]: Arguments<'get', P>): Promise<Body<'get', P>> {
    const { data } = await this.#transport.call('get', path, callOf(options));
    return data as Body<'get', P>;
  }

  /** Uploads a recording, in pieces that survive broken connections; returns the recording, which is then processed. */
  async upload(source: Source, options: UploadOptions = {}): Promise<Schemas['RecordingDetail']> {
    const id = await upload(this.#transport, source, options);
    const { signal, retries } = options;
    return this.get('/recordings/{id}', { path: { id }, signal, retries });
  }

  /** Resolves with the recording once it is playable, or has a transcript or summary; rejects if that will not come. */
  waitFor(id: string, awaited: Awaited, options: WaitOptions = {}): Promise<Schemas['RecordingDetail']> {
    return waitFor(this.#transport, id, awaited, options);
  }

  /** Events as they happen, for `for await`. Broken connections are resumed without a gap. */
  events(options: EventOptions = {}): AsyncGenerator<StreamedEvent, void> {
    return events(this.#transport, options);
  }

  async #data<D>(method: string, path: string, options?: CallOptions): Promise<D> {
    const { data } = await this.#transport.call(method, path, callOf(options));
    return (data as { data: D } | undefined)?.data as D;
  }
}

/** What a caller may give is checked by types that depend on the path; from here on, all of it is possible. */
const callOf = (options: CallOptions = {}): Call => options as Call;
