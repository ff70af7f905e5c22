import createClient from 'openapi-fetch';
import { ApiError, ConnectionError, InvalidReplyError, TimeoutError } from './errors.js';
import { limit, sleep } from './limits.js';
import { checked, errorOf, type Accepted } from './replies.js';
import { delayAfter, isLost, isRepeatable, takesKey } from './retries.js';
import type { CallOptions } from './types.js';

/** How to reach the service. */
export interface ClientOptions {
  /** Where the service is: `https://meetings.example.com`, with or without `/api/v1`. */
  readonly baseUrl: string;
  /** An API key: `mrs_...`; one that is missing is refused. Null: none, for share links and plans, which need none. */
  readonly apiKey: string | null | undefined;
  /** How often a call is repeated after an error that may pass; by default 3 times. */
  readonly retries?: number;
  /** Milliseconds that each attempt may take; by default 60,000. */
  readonly timeout?: number;
  /** On pages of the service itself, instead of a key: returns `session.csrf_token` of `GET /me`. The browser adds the session. */
  readonly csrfToken?: (() => string) | undefined;
  /** Sends the requests; by default that of the platform. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** A request before it is one: `path` is that of the API document, whose placeholders `options.path` fills. */
export interface Call extends CallOptions {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly header?: object | undefined;
  readonly body?: unknown;
  readonly contentType?: PropertyKey | undefined;
  readonly revision?: number | undefined;
  readonly idempotencyKey?: string | undefined;
}

export interface Reply {
  readonly data?: unknown;
  readonly response: Response;
}

type Send = (
  method: string,
  path: string,
  init: Record<string, unknown>,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** Sends requests to one service, and repeats them. The API key goes to no other origin: redirects are not followed. */
export class Transport {
  /** How often a call is repeated, unless it says so itself. */
  readonly retries: number;
  readonly #send: Send;
  readonly #origin: string;
  readonly #fetch: (request: Request) => Promise<Response>;
  readonly #csrfToken: (() => string) | undefined;
  readonly #timeout: number;

  constructor({ baseUrl, apiKey, retries = 3, timeout = 60_000, csrfToken, fetch }: ClientOptions) {
    this.#origin = originOf(baseUrl);
    requireKey(apiKey);
    this.#fetch = fetch ?? ((request) => globalThis.fetch(request));
    this.#csrfToken = csrfToken;
    this.retries = retries;
    this.#timeout = timeout;
    const client = createClient({
      baseUrl: `${this.#origin}/api/v1`,
      headers: apiKey ? { Authorization: `Bearer ${apiKey}` } : {},
      redirect: 'manual',
      pathSerializer: fillIn,
      // `status=ERROR,COMPLETED`
      querySerializer: { array: { style: 'form', explode: false } },
    });
    // Paths and parameters have been checked by the types of the methods that callers see.
    this.#send = client.request as unknown as Send;
  }

  /** The reply, after as many attempts as it takes. Rejects with an `ApiError`, `ConnectionError` or `TimeoutError`. */
  async call(method: string, path: string, call: Call, accepted: Accepted = 'json'): Promise<Reply> {
    const { signal, retries = this.retries, revision } = call;
    const key = call.idempotencyKey ?? (takesKey(method, path) ? newKey() : undefined);
    const repeatable = isRepeatable(method, path, revision !== undefined);
    const header = {
      ...call.header,
      ...(key !== undefined && { 'Idempotency-Key': key }),
      ...(revision !== undefined && { 'If-Match': `"${revision}"` }),
    };
    let lost = false;
    for (let attempts = 1; ; attempts += 1) {
      signal?.throwIfAborted();
      try {
        return await this.#attempt(method, path, { ...call, header }, accepted);
      } catch (error) {
        if (lost && method === 'delete' && isGone(error)) {
          return { data: { data: { success: true } }, response: Response.json(null) };
        }
        const delay = attempts > retries ? null : delayAfter(error, attempts, repeatable);
        if (delay === null || signal?.aborted) throw error;
        lost ||= isLost(error);
        await sleep(delay, signal);
      }
    }
  }

  async #attempt(method: string, path: string, call: Call, accepted: Accepted): Promise<Reply> {
    const { signal, timeout = this.#timeout, body, contentType } = call;
    const name = `${method.toUpperCase()} ${path}`;
    const limited = limit(signal, timeout, new TimeoutError(`${name}: no reply within ${timeout} ms`));
    let status: number | undefined;
    let sent = false;
    try {
      const { data, error, response } = await this.#send(method, path, {
        ...(path.startsWith('/health/') && { baseUrl: this.#origin }),
        params: { path: call.path ?? {}, query: call.query, header: call.header },
        ...(body !== undefined && { body, ...(isFile(body) && { bodySerializer: asItIs }) }),
        headers: isFile(body) ? { 'Content-Type': typeOf(body, contentType) } : {},
        parseAs: accepted === 'nothing' ? 'text' : accepted,
        signal: limited.signal,
        fetch: async (request: Request) => {
          sent = true;
          if (this.#csrfToken) request.headers.set('X-CSRF-Token', this.#csrfToken());
          const reply = await this.#fetch(request);
          ({ status } = reply);
          return checked(reply, accepted);
        },
      });
      if (response.ok) return { data, response };
      throw errorOf(error, response);
    } catch (error) {
      if (limited.signal.aborted) throw limited.signal.reason;
      if (error instanceof ApiError || !sent) throw error;
      if ((error as Error).name === 'SyntaxError')
        throw new InvalidReplyError(status ?? 0, 'The reply is not valid JSON');
      throw new ConnectionError(`${name}: ${reasonOf(error)}`, { cause: error });
    } finally {
      // What reads a stream ends it by its signal.
      if (accepted === 'stream') limited.stopTimer();
      else limited.release();
    }
  }
}

/** The URL without `/api/v1`. Anything after the path would end up within the paths of requests. */
function originOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl must be a URL such as https://meetings.example.com');
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError('baseUrl must be a URL without credentials, "?" and "#"');
  return `${url.origin}${url.pathname}`.replace(/(\/api\/v1)?\/*$/, '');
}

/** Not only with the first request, whose error would be that of the service or, with the key in it, of the platform. */
function requireKey(apiKey: string | null | undefined): void {
  if (apiKey === null) return;
  if (!apiKey?.trim())
    throw new TypeError('apiKey is missing: pass an API key (mrs_...), or null to use the API without one');
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError('apiKey has characters that no key has');
}

const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.code === 'ALREADY_REVOKED');

/** The platform's own message is often only "fetch failed". */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { code?: string; message?: string } };
  return [message, cause?.code ?? cause?.message].filter(Boolean).join(', ');
}

/** Refuses values with which a path would be that of another operation. */
function fillIn(path: string, values: Record<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string' || ['', '.', '..'].includes(text)) {
      throw new TypeError(`${path} needs a value for ${name}, not ${JSON.stringify(value)}`);
    }
    return encodeURIComponent(text);
  });
}

const asItIs = (body: unknown): unknown => body;

const isFile = (body: unknown): boolean =>
  typeof body === 'string' ||
  body instanceof Blob ||
  body instanceof ArrayBuffer ||
  ArrayBuffer.isView(body) ||
  body instanceof FormData;

/** null where the platform knows it: the boundary of a form. */
function typeOf(body: unknown, given: PropertyKey | undefined): string | null {
  if (body instanceof FormData) return null;
  return String(given ?? ((body instanceof Blob && body.type) || 'application/octet-stream'));
}

/** Not `crypto.randomUUID`, which browsers have only on pages from `https`. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
