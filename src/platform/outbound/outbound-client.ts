import type { IncomingHttpHeaders } from 'node:http';
import { Exchange, tooLarge, type ExchangeRequest, type OutboundLimits } from './exchange.js';
import { pinAddresses, publicNames, systemNames, type Lookup } from './outbound-addresses.js';
import { OutboundError } from './outbound-error.js';
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

const LIMITS: OutboundLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  totalMs: 60_000,
  behindMs: 30_000,
  bytesPerSecond: 10_000,
  bytes: 1024 * 1024,
  redirects: 5,
};
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const FOLLOWED = new Set(['GET', 'HEAD']);
/** Headers that every server may see; all others are meant for the first one. */
const HARMLESS = new Set(['accept', 'range', 'if-range', 'user-agent']);
/** A body is never decompressed: a small one could become any size. */
const OWN_HEADERS = { 'accept-encoding': 'identity', 'user-agent': 'meeting-recording-service' };

/**
 * Sends requests to addresses that callers name, but not into the network of the service: every name is resolved once,
 * and its addresses are checked. Keeps no cookies and connections, ignores proxies. Failures are `OutboundError`s.
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
    const exchange = new Exchange({ ...LIMITS, ...what.limits }, signal);
    try {
      const reply = await this.follow(exchange, {
        url: what.url,
        method: what.method ?? 'GET',
        headers: { ...what.headers, ...OWN_HEADERS },
        body: what.body,
      });
      if (!anyBody) requireFits(reply, exchange.limits);
      return reply;
    } catch (error) {
      exchange.end();
      throw error;
    }
  }

  private async follow(exchange: Exchange, first: ExchangeRequest): Promise<OutboundReply> {
    let next = first;
    let wasPublic = false;
    for (let redirects = 0; ; redirects += 1) {
      const pinned = await exchange.resolved(pinAddresses(next.url, this.options.allowPrivate, this.lookup));
      // Whoever runs a public server has no say in the network of the service.
      if (wasPublic && pinned.kind !== 'public') throw badRedirect();
      wasPublic = pinned.kind === 'public';
      const { statusCode: status = 0, headers } = await exchange.send(next, pinned, this.options.ca);
      const { location } = headers;
      if (location === undefined || !REDIRECTS.has(status) || !FOLLOWED.has(next.method))
        return { status, headers, body: exchange.body(), close: () => exchange.end() };
      if (redirects >= exchange.limits.redirects) throw new OutboundError('The server redirects too often.');
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

function requireFits({ headers }: OutboundReply, limits: OutboundLimits): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw new OutboundError('The server sends the file compressed, which it was asked not to.');
  if (Number(headers['content-length'] ?? 0) > limits.bytes) throw tooLarge(limits);
}

const badRedirect = (): OutboundError =>
  new OutboundError('The server redirects to an address that is not allowed.');
