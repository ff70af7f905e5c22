import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { ObjectStore } from '../../src/platform/storage/object-store.js';
import type { Client, Reply } from './client.js';
import { contentOf, sha256 } from './objects.js';
import { eventually, type TestService } from './service.js';

export const MIB = 1024 * 1024;

/** A small, real MP4 from the demo: 55,076 bytes. */
export const demoVideo = (name = 'depot-walk-through'): Buffer => readFileSync(`demo/media/${name}.mp4`);

/** Starts like an MP4 and continues as noise: for tests that do not play it. */
export function fakeVideo(size: number): Buffer {
  return Buffer.concat([demoVideo().subarray(0, Math.min(size, 64)), randomBytes(Math.max(0, size - 64))]);
}

/** Creates a recording that is waiting for its upload. */
export async function created(api: Client, fields: object = {}): Promise<{ id: string; upload_url: string }> {
  const { status, body } = await api.post('/recordings', { title: 'Weekly sync', ...fields });
  if (status !== 201) throw new Error(`No recording was created: ${JSON.stringify(body)}`);
  return body.data;
}

type Headers = Record<string, string>;

const BYTES = { 'content-type': 'application/offset+octet-stream' };
export const TUS = { 'tus-resumable': '1.0.0' };

/** Headers of a PATCH at an offset. */
export const at = (offset: number, more: Headers = {}): Headers => ({
  ...TUS,
  ...BYTES,
  'upload-offset': String(offset),
  ...more,
});

/** A tus 1.0 client for one upload, header by header. */
export class RawTus {
  constructor(
    private readonly api: Client,
    private readonly recordingId: string,
  ) {}

  head(headers: Headers = TUS): Promise<Reply> {
    return this.api.request('HEAD', `/uploads/${this.recordingId}`, { headers });
  }

  patch(offset: number, bytes: Uint8Array, more: Headers = {}): Promise<Reply> {
    return this.api.request('PATCH', `/uploads/${this.recordingId}`, {
      headers: at(offset, more),
      body: bytes,
    });
  }

  delete(): Promise<Reply> {
    return this.api.delete(`/uploads/${this.recordingId}`, { headers: TUS });
  }

  /** The offset returned by HEAD. */
  async offset(): Promise<number> {
    const { status, headers } = await this.head();
    if (status !== 200) throw new Error(`HEAD answered ${status}`);
    return Number(headers.get('upload-offset'));
  }
}

/** SHA-256 of the bytes received so far, read from the object store. */
export async function storedSha256({ app, dataSource }: TestService, id: string): Promise<string> {
  const rows: { key: string }[] = await dataSource.query(
    'SELECT key FROM upload_parts WHERE recording_id = $1 ORDER BY start',
    [id],
  );
  const parts: Buffer[] = [];
  for (const { key } of rows) parts.push(await contentOf(app.get(ObjectStore), key));
  return sha256(Buffer.concat(parts));
}

/** Bytes of every part of a direct upload, except the last. */
const DIRECT_PART = 16 * MIB;

/** The body that asks for URLs of parts of a file, by default of all. */
export function announced(
  file: Buffer,
  numbers = Array.from({ length: Math.ceil(file.length / DIRECT_PART) }, (_, index) => index + 1),
): { size: number; direct: true; parts: Record<number, string> } {
  const parts = Object.fromEntries(numbers.map((number) => [number, sha256(directPart(file, number))]));
  return { size: file.length, direct: true, parts };
}

export const directPart = (file: Buffer, number: number): Buffer =>
  file.subarray((number - 1) * DIRECT_PART, number * DIRECT_PART);

/**
 * Makes the store of a service give URLs to clients, as S3 does; returns what a client then does with one. That S3 takes
 * nothing else there is tested with S3.
 */
export function takeDirectUploads({ app }: TestService): (url: string, bytes: Buffer) => Promise<unknown> {
  const store = app.get(ObjectStore);
  store.presign = async (key) => ({
    url: `https://s3.test/${key}`,
    headers: { 'x-amz-checksum-sha256': 'any' },
  });
  return (url, bytes) => store.put(new URL(url).pathname.slice(1), bytes);
}

/** Opens a direct upload of a recording, whose file is then stored. */
export async function uploadedDirectly(service: TestService, api: Client, id: string): Promise<void> {
  const put = takeDirectUploads(service);
  const { body } = await api.post(`/recordings/${id}/upload`, announced(demoVideo()));
  await put(body.data.upload_parts[0].url, demoVideo());
}

/** A request whose body is written in pieces, and may be left incomplete. */
export class OpenRequest {
  readonly reply: Promise<Reply>;
  private readonly request;

  constructor(
    private readonly service: TestService,
    method: string,
    path: string,
    headers: Headers,
  ) {
    this.request = httpRequest(`${service.api.base}/api/v1${path}`, { method, headers, agent: false });
    this.reply = new Promise((resolve, reject) => {
      this.request.on('error', reject);
      this.request.on('response', (response) => resolve(read(response)));
    });
    // After closing the connection, nobody waits for a reply.
    this.reply.catch(() => undefined);
    this.request.flushHeaders();
  }

  /** Resolves when the bytes have reached the process of the service. */
  async write(bytes: Uint8Array): Promise<void> {
    await new Promise((resolve) => this.request.write(bytes, resolve));
    const sent = this.request.socket?.bytesWritten ?? 0;
    const port = this.request.socket?.localPort;
    await eventually(async () => {
      const own = this.connectionFrom(port);
      if (!own || own.bytesRead < sent) throw new Error('The bytes have not arrived');
    });
  }

  end(bytes?: Uint8Array): Promise<Reply> {
    this.request.end(bytes);
    return this.reply;
  }

  /** Closes the connection. */
  destroy(): void {
    this.request.destroy();
  }

  /** Closes the connection; resolves when the service has noticed. */
  async lose(): Promise<void> {
    const port = this.request.socket?.localPort;
    this.destroy();
    await eventually(async () => {
      if (this.connectionFrom(port)) throw new Error('The connection is still there');
    });
  }

  private connectionFrom(port: number | undefined): Socket | undefined {
    const sockets = connections.get(this.service.app.getHttpServer() as Server) ?? new Set<Socket>();
    return [...sockets].find((socket) => socket.remotePort === port);
  }
}

const connections = new WeakMap<Server, Set<Socket>>();

/** Must be called once per service, before `OpenRequest` is used. */
export function watchConnections({ app }: TestService): void {
  const server = app.getHttpServer() as Server;
  const sockets = new Set<Socket>();
  connections.set(server, sockets);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
}

async function read(response: IncomingMessage): Promise<Reply> {
  const text = (await buffer(response)).toString();
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) headers.set(name, String(value));
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status: response.statusCode ?? 0, headers, body: isJson ? JSON.parse(text) : text };
}
