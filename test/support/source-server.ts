import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How the server answers one request; without any, it answers like a web server with ranges. */
export interface SourceBehaviour {
  /** Sent in place of the file. */
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** The connection breaks after so many bytes of the body. */
  readonly breakAfter?: number;
  /** Ranges are ignored, and there is no validator. */
  readonly plain?: boolean;
  /** The length is not announced. */
  readonly chunked?: boolean;
  /** Sends nothing after `breakAfter` bytes, but does not break the connection either. */
  readonly stall?: boolean;
  /** Sends the body in small pieces, about 8 MB/s. */
  readonly slow?: boolean;
  /** Sends 31 kB/s. */
  readonly drips?: boolean;
}

interface Pieces {
  readonly size: number;
  readonly pauseMs: number;
}

const SLOW: Pieces = { size: 256 * 1024, pauseMs: 30 };
const DRIPS: Pieces = { size: 2_500, pauseMs: 80 };

/** A web server with one file, which `source_url`s name. */
export class SourceServer {
  /** Behaviours of the next requests, in order. */
  next: SourceBehaviour[] = [];
  /** The default for all others. */
  always: SourceBehaviour = {};
  /** `Range` of each request; `all` without one. */
  readonly requests: string[] = [];
  /** Replies that are being sent. */
  readonly open = new Set<ServerResponse>();
  private version = 1;

  private constructor(
    private readonly server: Server,
    private file: Buffer,
  ) {
    server.on('request', (request, response) => this.answer(request, response));
  }

  static async start(file: Buffer): Promise<SourceServer> {
    const source = new SourceServer(createServer(), file);
    source.server.listen(0, '127.0.0.1');
    await once(source.server, 'listening');
    return source;
  }

  url(path = '/meeting.mp4'): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** Replaces the file, as somebody does who uploads another one under the same name. */
  replace(file: Buffer): void {
    this.file = file;
    this.version += 1;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private answer({ headers }: IncomingMessage, response: ServerResponse): void {
    this.requests.push(headers.range ?? 'all');
    const behaviour = this.next.shift() ?? this.always;
    this.open.add(response);
    response.once('close', () => this.open.delete(response));
    const { status, plain, chunked } = behaviour;
    if (status !== undefined) return void response.writeHead(status, behaviour.headers).end();
    const etag = `"v${this.version}"`;
    const isCurrent = headers['if-range'] === undefined || headers['if-range'] === etag;
    const start = plain || !isCurrent ? 0 : Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    const { length } = this.file;
    response.writeHead(start > 0 ? 206 : 200, {
      ...(chunked ? {} : { 'content-length': length - start }),
      ...(plain ? {} : { etag, 'accept-ranges': 'bytes' }),
      ...(start > 0 ? { 'content-range': `bytes ${start}-${length - 1}/${length}` } : {}),
      ...behaviour.headers,
    });
    this.send(response, this.file.subarray(start), behaviour);
  }

  private send(response: ServerResponse, body: Buffer, behaviour: SourceBehaviour): void {
    const { breakAfter, stall, slow, drips } = behaviour;
    if (slow) return void sendSlowly(response, body, SLOW);
    if (drips) return void sendSlowly(response, body, DRIPS);
    if (breakAfter === undefined) return void response.end(body);
    response.write(body.subarray(0, breakAfter), () => {
      if (!stall) response.destroy();
    });
  }
}

async function sendSlowly(response: ServerResponse, body: Buffer, { size, pauseMs }: Pieces): Promise<void> {
  for (let start = 0; start < body.length && !response.destroyed; start += size) {
    response.write(body.subarray(start, start + size));
    await sleep(pauseMs);
  }
  response.end();
}
