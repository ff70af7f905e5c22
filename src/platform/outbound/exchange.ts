import { request as overHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { PinnedAddresses } from './outbound-addresses.js';
import { fromNode, OutboundError } from './outbound-error.js';
import { hostOf } from './outbound-url.js';

export interface OutboundLimits {
  /** DNS, the connection and TLS, each time. */
  readonly connectMs: number;
  /** The time until the headers of the reply are complete. */
  readonly headersMs: number;
  /** The whole request, from the first name that is looked up to the last byte; undefined for no limit. */
  readonly totalMs?: number;
  /** How far a body may fall behind `bytesPerSecond`: also the longest pause. */
  readonly behindMs: number;
  readonly bytesPerSecond: number;
  /** Length of a body. */
  readonly bytes: number;
  readonly redirects: number;
}

export interface ExchangeRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

const MAX_HEADER_BYTES = 16 * 1024;
const NOT_IN_TIME = 'The server did not answer in time.';

/** A request with its redirects, each over a connection of its own to addresses that have been checked. */
export class Exchange {
  private request: ClientRequest | undefined;
  private reply: IncomingMessage | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly totalTimer: NodeJS.Timeout | undefined;
  /** Aborts with the reason why the exchange has ended. */
  private readonly ended = new AbortController();
  private readonly onAbort = (): void => this.end(this.signal?.reason);

  constructor(
    readonly limits: OutboundLimits,
    private readonly signal: AbortSignal | undefined,
  ) {
    signal?.addEventListener('abort', this.onAbort, { once: true });
    if (limits.totalMs !== undefined)
      this.totalTimer = setTimeout(() => this.end(tooSlow(NOT_IN_TIME)), limits.totalMs);
  }

  /** Waits for names to be resolved: that cannot be ended, only not be waited for any longer. */
  async resolved<T>(names: Promise<T>): Promise<T> {
    const { signal } = this.ended;
    this.wait(this.limits.connectMs, NOT_IN_TIME);
    const ended = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    );
    return Promise.race([names, ended]);
  }

  /** Sends the request, and resolves with the beginning of the reply. */
  send(what: ExchangeRequest, pinned: PinnedAddresses, ca: string | undefined): Promise<IncomingMessage> {
    const { url, method, headers, body } = what;
    const host = hostOf(url);
    const isSecure = url.protocol === 'https:';
    this.disconnect();
    this.reply = undefined;
    this.ended.signal.throwIfAborted();
    this.wait(this.limits.connectMs, 'The server could not be reached in time.');
    return new Promise((resolve, reject) => {
      const request = (isSecure ? overHttps : overHttp)(url, {
        method,
        headers: { ...headers, ...(body && { 'content-length': String(body.length) }) },
        // Not shared with other requests, and without the proxies that the environment may name.
        agent: false,
        lookup: pinnedLookup(pinned),
        maxHeaderSize: MAX_HEADER_BYTES,
        // Whatever the environment says.
        rejectUnauthorized: true,
        servername: isIP(host) ? '' : host,
        ...(ca && { ca }),
      });
      this.request = request;
      request.on('error', (error) => reject(this.explain(error)));
      request.once('socket', (socket) =>
        socket.once(isSecure ? 'secureConnect' : 'connect', () =>
          this.wait(this.limits.headersMs, NOT_IN_TIME),
        ),
      );
      request.once('response', (reply) => {
        clearTimeout(this.timer);
        // The reader of the body reports it; this also covers a reply that is never read.
        reply.on('error', () => undefined);
        this.reply = reply;
        resolve(reply);
      });
      request.end(body);
    });
  }

  /** The body; fails if it is too large, too slow or incomplete. Time that its reader takes does not count. */
  async *body(): AsyncGenerator<Uint8Array, void, undefined> {
    const { reply, limits } = this;
    const { signal } = this.ended;
    if (!reply) throw new Error('The body is read after the reply has begun');
    const chunks = (reply as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    let total = 0;
    let behindMs = 0;
    try {
      for (;;) {
        const waitsFrom = performance.now();
        this.wait(limits.behindMs - behindMs, 'The server sends too slowly.');
        const { done, value } = await chunks.next().catch((error: unknown) => {
          throw this.explain(error);
        });
        clearTimeout(this.timer);
        signal.throwIfAborted();
        if (done) break;
        total += value.length;
        if (total > limits.bytes) throw tooLarge(limits);
        const earnedMs = (value.length / limits.bytesPerSecond) * 1000;
        behindMs = Math.max(0, behindMs + performance.now() - waitsFrom - earnedMs);
        yield value;
      }
      if (!reply.complete) throw this.explain(new Error('The reply is not complete'));
    } finally {
      this.end();
    }
  }

  /** Ends the exchange, with an error for what is waiting for it. */
  end(error?: unknown): void {
    this.ended.abort(error);
    clearTimeout(this.totalTimer);
    this.signal?.removeEventListener('abort', this.onAbort);
    this.disconnect(error);
  }

  private disconnect(error?: unknown): void {
    clearTimeout(this.timer);
    const cause = error instanceof Error ? error : undefined;
    this.reply?.destroy(cause);
    this.request?.destroy(cause);
  }

  private wait(milliseconds: number, message: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(tooSlow(message)), Math.max(0, milliseconds));
  }

  private explain(error: unknown): unknown {
    clearTimeout(this.timer);
    const { aborted, reason } = this.ended.signal;
    return aborted ? reason : fromNode(error, this.reply !== undefined);
  }
}

const tooSlow = (message: string): OutboundError => new OutboundError(message, { permanent: false });

export const tooLarge = ({ bytes }: Pick<OutboundLimits, 'bytes'>): OutboundError =>
  new OutboundError(`The file is larger than ${bytes} bytes.`);

/** Answers with the addresses that have been checked: DNS is not asked again. */
function pinnedLookup({ addresses }: PinnedAddresses): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}
