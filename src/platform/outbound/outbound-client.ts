import type { IncomingHttpHeaders } from 'node:http';
import { Exchange, tooLarge, type ExchangeRequest } from './exchange.js';
import {
  pinAddresses,
  publicNames,
  systemNames,
  type Lookup,
  type PinnedAddresses,
} from './outbound-addresses.js';
import { OutboundError } from './outbound-error.js';
import { OUTBOUND_LIMITS, type OutboundLimits } from './outbound-limits.js';
import { readOutboundUrl } from './outbound-url.js';

export interface OutboundOptions {
  readonly allowPrivate: boolean;
  /** Certificates to trust in place of the usual ones. */
  readonly ca?: string;
  readonly lookup?: Lookup;
}

export interface OutboundRequest {
  readonly url: URL;
  /** Redirects are followed for GET and HEAD only. Default: GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly limits?: Partial<OutboundLimits>;
  /** Also resolves if the body is compressed, or announced as too large: only the status matters. */
  readonly anyBody?: boolean;
  readonly signal?: AbortSignal;
}

export interface OutboundReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Has to be read to the end, or closed. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the connection. */
  close(): void;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const FOLLOWED = new Set(['GET', 'HEAD']);
/** Headers that every server may see; all others are meant for the first one. */
const HARMLESS = new Set(['accept', 'range', 'if-range', 'user-agent']);
/** A body is never decompressed: a small one could become any size. */
const OWN_HEADERS = { 'accept-encoding': 'identity', 'user-agent': 'meeting-recording-service' };

/**
 * Sends requests to addresses that callers name. They must not reach the network that the service is in: every host
 * name is resolved once, all its addresses are checked, and the connection goes to one of these. Keeps no cookies and
 * no connections, and ignores proxies. Failures are `OutboundError`s.
 */
export class OutboundClient {
  private readonly lookup: Lookup;

  constructor(private readonly options: OutboundOptions) {
    this.lookup = options.lookup ?? (options.allowPrivate ? systemNames : publicNames());
  }

  /** Null if requests may not be sent there; DNS is asked only when one is. */
  read(url: string): URL | null {
    return readOutboundUrl(url, this.options.allowPrivate);
  }

  async request({ signal, anyBody = false, ...what }: OutboundRequest): Promise<OutboundReply> {
    signal?.throwIfAborted();
    const limits = { ...OUTBOUND_LIMITS, ...what.limits };
    const run = new Run(limits, signal);
    try {
      const reply = await this.follow(run, {
        url: what.url,
        method: what.method ?? 'GET',
        headers: { ...what.headers, ...OWN_HEADERS },
        body: what.body,
      });
      return anyBody ? reply : checked(reply, run.limits);
    } catch (error) {
      run.end();
      throw error;
    }
  }

  private async follow(run: Run, first: ExchangeRequest): Promise<OutboundReply> {
    let next = first;
    let before: PinnedAddresses | undefined;
    for (let redirects = 0; ; redirects += 1) {
      const pinned = await run.within(
        pinAddresses(next.url, this.options.allowPrivate, this.lookup),
        run.limits.connectMs,
      );
      // Whoever runs a public server has no say in the network of the service.
      if (before?.kind === 'public' && pinned.kind !== 'public') throw badRedirect();
      before = pinned;
      const exchange = run.start();
      const { statusCode: status = 0, headers } = await exchange.send(next, pinned, this.options.ca);
      const { location } = headers;
      if (location === undefined || !REDIRECTS.has(status) || !FOLLOWED.has(next.method)) {
        return { status, headers, body: run.bodyOf(exchange), close: () => run.end() };
      }
      exchange.close();
      if (redirects >= run.limits.redirects) {
        throw new OutboundError('The server redirects too often.', { permanent: true });
      }
      next = this.redirected(next, location);
    }
  }

  private redirected(request: ExchangeRequest, location: string): ExchangeRequest {
    const { url: from, headers } = request;
    const url = URL.canParse(location, from.href) ? this.read(new URL(location, from).href) : null;
    if (!url || (from.protocol === 'https:' && url.protocol !== 'https:')) throw badRedirect();
    const kept = Object.entries({ ...headers, ...OWN_HEADERS }).filter(
      ([name]) => url.origin === from.origin || HARMLESS.has(name.toLowerCase()) || name in OWN_HEADERS,
    );
    return { ...request, url, headers: Object.fromEntries(kept) };
  }
}

/** The time and the current exchange of one request with its redirects. */
class Run {
  private exchange: Exchange | undefined;
  private failure: unknown;
  private fail: (error: unknown) => void = () => undefined;
  private readonly failed: Promise<never>;
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly onAbort = (): void => this.stop(this.signal?.reason);

  constructor(
    readonly limits: OutboundLimits,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.failed = new Promise((_, reject) => (this.fail = reject));
    this.failed.catch(() => undefined);
    signal?.addEventListener('abort', this.onAbort, { once: true });
    const { totalMs } = limits;
    const late = (): void => this.stop(tooLate());
    if (totalMs !== undefined) this.timer = setTimeout(late, totalMs);
  }

  /** A name that is looked up cannot be given up, but not waited for any longer. */
  async within<T>(work: Promise<T>, milliseconds: number): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooLate()), milliseconds);
    });
    return Promise.race([work, late, this.failed]).finally(() => clearTimeout(timer));
  }

  start(): Exchange {
    if (this.failure) throw this.failure;
    this.exchange = new Exchange(this.limits);
    return this.exchange;
  }

  async *bodyOf(exchange: Exchange): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* exchange.body();
    } finally {
      this.end();
    }
  }

  end(): void {
    clearTimeout(this.timer);
    this.signal?.removeEventListener('abort', this.onAbort);
    this.exchange?.close();
  }

  private stop(error: unknown): void {
    this.failure ??= error;
    this.fail(error);
    this.exchange?.close(error);
    this.end();
  }
}

function checked(reply: OutboundReply, limits: OutboundLimits): OutboundReply {
  const { headers } = reply;
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new OutboundError('The server sends the file compressed, which it was asked not to.', {
      permanent: true,
    });
  }
  if (Number(headers['content-length'] ?? 0) > limits.bytes) throw tooLarge(limits);
  return reply;
}

const badRedirect = (): OutboundError =>
  new OutboundError('The server redirects to an address that is not allowed.', { permanent: true });

const tooLate = (): OutboundError =>
  new OutboundError('The server did not answer in time.', { permanent: false });
