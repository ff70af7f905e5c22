import { request as overHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { PinnedAddresses } from './outbound-addresses.js';
import { fromNode, OutboundError } from './outbound-error.js';
import { hostOf } from './outbound-url.js';
import type { OutboundLimits } from './outbound-limits.js';

export interface ExchangeRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

const MAX_HEADER_BYTES = 16 * 1024;

/** One request and its reply, over a connection of its own to addresses that have been checked. */
export class Exchange {
  private request: ClientRequest | undefined;
  private reply: IncomingMessage | undefined;
  private timer: NodeJS.Timeout | undefined;
  private failure: unknown;

  constructor(private readonly limits: OutboundLimits) {}

  /** Sends the request, and resolves with the beginning of the reply. */
  async send(
    what: ExchangeRequest,
    pinned: PinnedAddresses,
    ca: string | undefined,
  ): Promise<IncomingMessage> {
    const { url, method, headers, body } = what;
    const host = hostOf(url);
    const send = url.protocol === 'https:' ? overHttps : overHttp;
    this.wait(this.limits.connectMs, 'The server could not be reached in time.');
    return new Promise((resolve, reject) => {
      const request = send(url, {
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
      request.once('socket', (socket) => {
        const connected = url.protocol === 'https:' ? 'secureConnect' : 'connect';
        socket.once(connected, () => this.wait(this.limits.headersMs, 'The server did not answer in time.'));
      });
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
        if (this.failure) throw this.explain(this.failure);
        if (done) break;
        total += value.length;
        if (total > limits.bytes) throw tooLarge(limits);
        const earnedMs = (value.length / limits.bytesPerSecond) * 1000;
        behindMs = Math.max(0, behindMs + performance.now() - waitsFrom - earnedMs);
        yield value;
      }
      if (!reply.complete) throw this.explain(new Error('The reply is not complete'));
    } finally {
      this.close();
    }
  }

  /** Ends the exchange, with an error for what is waiting for it. */
  close(error?: unknown): void {
    clearTimeout(this.timer);
    this.failure ??= error;
    const cause = error instanceof Error ? error : undefined;
    this.reply?.destroy(cause);
    this.request?.destroy(cause);
  }

  private wait(milliseconds: number, message: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => this.close(new OutboundError(message, { permanent: false })),
      Math.max(0, milliseconds),
    );
  }

  private explain(error: unknown): unknown {
    clearTimeout(this.timer);
    return this.failure ?? fromNode(error, this.reply !== undefined);
  }
}

export function tooLarge({ bytes }: Pick<OutboundLimits, 'bytes'>): OutboundError {
  return new OutboundError(`The file is larger than ${bytes} bytes.`, { permanent: true });
}

/** Answers with the addresses that have been checked: DNS is not asked again. */
function pinnedLookup({ addresses }: PinnedAddresses): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}
