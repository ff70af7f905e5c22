import { connect } from 'node:net';
import { expect } from '@jest/globals';
import { csrfToken } from '../../src/platform/http/requests/session-cookie.js';
import { CONTRACT } from './contract.js';

/** Replies are loosely typed: each test states what it expects. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface RequestOptions {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** The status of a reply, and the code of its error if it has one. */
export const outcome = ({ status, body }: Reply): [status: number, code: string | null] => [
  status,
  body.error?.code ?? null,
];

/** The reply's data, of a request that must succeed. */
export async function done(request: Promise<Reply>): Promise<Reply['body']> {
  const { status, body } = await request;
  expect([status, body.error]).toEqual([expect.any(Number), undefined]);
  expect(status).toBeLessThan(300);
  return body.data;
}

/** Sends requests like an API consumer; every reply is checked against the API document. */
export class Client {
  /** Replaces an API key by another credential of its user. */
  static exchange: ((base: string, key: string) => Promise<string>) | undefined;

  constructor(
    readonly base: string,
    private readonly key?: string,
    private readonly contract = CONTRACT,
  ) {}

  as(key: string): Client {
    return new Client(this.base, key, this.contract);
  }

  get(path: string, options?: RequestOptions): Promise<Reply> {
    return this.request('GET', path, options);
  }

  post(path: string, body?: unknown, options?: RequestOptions): Promise<Reply> {
    return this.request('POST', path, { ...options, body });
  }

  patch(path: string, body?: unknown, options?: RequestOptions): Promise<Reply> {
    return this.request('PATCH', path, { ...options, body });
  }

  delete(path: string, options?: RequestOptions): Promise<Reply> {
    return this.request('DELETE', path, options);
  }

  /** `path` is relative to `/api/v1`, or to the root of the service if it starts with `//`. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Reply> {
    const full = path.startsWith('//') ? path.slice(1) : `/api/v1${path}`;
    const given = options.key ?? this.key;
    const key = given && Client.exchange ? await Client.exchange(this.base, given) : given;
    const response = await fetch(this.base + full, {
      method,
      headers: {
        ...(key === undefined ? {} : credential(this.base, key)),
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      body: toBody(options.body),
      signal: options.signal,
    });
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    const text = await (isEndless(type) ? abandon(response) : response.text());
    const isJson = type === 'application/json';
    const body: unknown = isJson && text !== '' ? JSON.parse(text) : text;
    const mistakes = this.contract.mistakes(method, full, { status: response.status, type, body });
    if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
    return { status: response.status, headers: response.headers, body };
  }
}

/** The headers with an API key, or those that a page of the service sends with a session (`SESSION`). */
export function credential(base: string, key: string): Record<string, string> {
  if (!key.startsWith(SESSION)) return { authorization: `Bearer ${key}` };
  const token = key.slice(SESSION.length);
  return { cookie: `mrs_session=${token}`, origin: base, 'x-csrf-token': csrfToken(token) };
}

/** Begins what is a session's token, in the place of an API key. */
export const SESSION = 'session:';

/** Only the beginning of such a reply is of interest; see `OpenStream`. */
const isEndless = (type: string): boolean => type === 'text/event-stream';

async function abandon({ body }: Response): Promise<string> {
  await body?.cancel();
  return '';
}

function toBody(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body;
  return JSON.stringify(body);
}

/** Sends raw bytes, which no HTTP client would; returns everything received until the connection closes. */
export async function sendRaw(base: string, bytes: string | Uint8Array): Promise<Reply> {
  const { hostname, port } = new URL(base);
  const received = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', () => resolve(Buffer.concat(chunks)));
    socket.on('error', reject);
    socket.setTimeout(5_000, () => socket.destroy(new Error('The service keeps the connection open')));
  });
  const [head = '', ...rest] = received.toString('utf8').split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1),
    ]),
  );
  const text = rest.join('\r\n\r\n');
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: isJson && text !== '' ? JSON.parse(text) : text,
  };
}

/** A request with exactly these headers and this body, whatever the method. */
export function rawRequest(
  method: string,
  path: string,
  { key, headers = {}, body = '' }: { key?: string; headers?: Record<string, string>; body?: string } = {},
): string {
  const all = {
    Host: 'localhost',
    Connection: 'close',
    ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
    ...(body === ''
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Expected of every error: exactly this body, a request id, and a helpful message. */
export function refusal(code: string, message: unknown = expectText()) {
  return { error: { code, message } };
}

function expectText(): unknown {
  return expect.stringMatching(/.{10,}/);
}
