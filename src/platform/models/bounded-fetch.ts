import { request as overHttp, type IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { Deadline } from '../../lib/deadline.js';
import { traceHeaders } from '../telemetry/spans.js';
import { readRetryAfter } from '../../lib/retry-after.js';

export interface FetchLimits {
  /** Time limit of one attempt, from connecting to the last byte of the reply. */
  readonly milliseconds: number;
  /** Length of a reply. */
  readonly bytes: number;
  /** Additional attempts after the first. */
  readonly retries: number;
  /** Before the second attempt, unless the reply has a `Retry-After`; doubles with each further attempt. */
  readonly firstWaitMs: number;
}

/** The reply exceeds the limit. */
export class ReplyTooLongError extends Error {
  constructor(bytes: number) {
    super(`the reply is longer than ${bytes} bytes`);
    this.name = 'ReplyTooLongError';
  }
}

interface Prepared {
  readonly url: URL;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** If the server asks for a longer delay, the job is retried later instead. */
const LONGEST_WAIT_MS = 60_000;
const AGAIN = new Set([408, 409, 429]);
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * `fetch` that reads at most `bytes`, follows no redirects, and retries transient failures (no connection, a truncated
 * reply, 408, 409, 429, 5xx) after the delay in `Retry-After`. Aborts even between attempts. One that takes longer than
 * `milliseconds` fails with an `AbortError`. Uses `node:http`: Node's `fetch` waits five minutes for a reply, and a
 * model may take longer.
 */
export function boundedFetch(limits: FetchLimits): typeof fetch {
  const bounded: typeof fetch = async (input, init) => {
    const signal = init?.signal ?? undefined;
    const prepared = await prepare(input instanceof Request ? input.url : input, init);
    for (let attempt = 0; ; attempt += 1) {
      const last = attempt >= limits.retries;
      const outcome = await once(prepared, limits, signal).catch((error: unknown) => error);
      signal?.throwIfAborted();
      if (outcome instanceof Response) {
        const wait = waitAfter(outcome, attempt, limits);
        if (last || wait === null || wait > LONGEST_WAIT_MS) return outcome;
        await sleep(wait, undefined, { signal });
      } else {
        if (last || !isTransient(outcome)) throw outcome;
        await sleep(backOff(attempt, limits), undefined, { signal });
      }
    }
  };
  // The library reads this property; without it, it would send a probe to find out whether forms are supported.
  return Object.assign(bounded, { Response });
}

async function prepare(url: string | URL, init: RequestInit | undefined): Promise<Prepared> {
  // `Request` encodes forms and sets their headers. It does not get the URL, which may contain a password.
  const { method, headers, body } = init ?? {};
  const request = new Request('http://localhost', { method, headers, body });
  const bytes = Buffer.from(await request.arrayBuffer());
  return {
    url: new URL(url),
    method: request.method,
    headers: { ...Object.fromEntries(request.headers), 'content-length': String(bytes.length) },
    body: bytes,
  };
}

async function once(
  prepared: Prepared,
  limits: FetchLimits,
  stop: AbortSignal | undefined,
): Promise<Response> {
  using limit = new Deadline(limits.milliseconds, stop);
  try {
    const reply = await send(prepared, limit.signal);
    const body = await read(reply, limits.bytes);
    const status = reply.statusCode ?? 0;
    return new Response(WITHOUT_BODY.has(status) ? null : body, {
      status,
      headers: {
        'content-type': reply.headers['content-type'] ?? '',
        'retry-after': reply.headers['retry-after'] ?? '',
      },
    });
  } catch (error) {
    // In the middle of a reply, the error is that of a lost connection.
    throw limit.isOver ? new DOMException('the attempt took too long', 'AbortError') : error;
  }
}

const send = ({ url, method, headers, body }: Prepared, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? overHttps : overHttp;
    request(url, { method, headers: { ...headers, ...traceHeaders() }, signal }, resolve)
      .once('error', reject)
      .end(body);
  });

async function read(reply: IncomingMessage, limit: number): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of reply as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > limit) throw new ReplyTooLongError(limit);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Milliseconds before the next attempt; null if a retry is pointless. */
function waitAfter(reply: Response, attempt: number, limits: FetchLimits): number | null {
  if (!AGAIN.has(reply.status) && reply.status < 500) return null;
  return readRetryAfter(reply.headers.get('retry-after')) ?? backOff(attempt, limits);
}

const backOff = (attempt: number, { firstWaitMs }: FetchLimits): number =>
  firstWaitMs * 2 ** attempt * (1 - Math.random() / 4);

function isTransient(error: unknown): boolean {
  const { name } = error as Error;
  return name !== 'AbortError' && name !== 'ReplyTooLongError';
}
