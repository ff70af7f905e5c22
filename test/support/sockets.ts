import { connect, type Socket } from 'node:net';
import type { Server } from 'node:http';
import { promisify } from 'node:util';
import type { TestService } from './service.js';

/** A connection to a service, byte by byte. */
export class RawSocket {
  /** Everything received so far. */
  received = '';
  readonly socket: Socket;
  /** Resolves when the connection is closed, in whatever way. */
  readonly closed: Promise<void>;

  constructor(
    { api }: TestService,
    { from = '127.0.0.1', allowHalfOpen = false }: { from?: string; allowHalfOpen?: boolean } = {},
  ) {
    const { hostname: host, port } = new URL(api.base);
    this.socket = connect({ host, port: Number(port), localAddress: from, allowHalfOpen });
    this.socket.on('data', (chunk: Buffer) => (this.received += chunk.toString('latin1')));
    // The service may reset it.
    this.socket.on('error', () => {});
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
  }

  /** Sends, and resolves when the answer contains a text. */
  async ask(bytes: string, expected: string): Promise<void> {
    const { socket } = this;
    const before = this.received.length;
    socket.write(bytes);
    await new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (this.received.indexOf(expected, before) >= 0) resolve();
      };
      socket.on('data', look);
      socket.once('close', () => reject(new Error(`Closed after ${this.received}`)));
    });
  }

  /** Receives about this much, and then stops reading. */
  async readMore(bytes: number): Promise<void> {
    const { socket } = this;
    const enough = this.received.length + bytes;
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (this.received.length < enough) return;
        socket.off('data', look).pause();
        resolve();
      };
      socket
        .on('data', look)
        .once('close', () => resolve())
        .resume();
    });
  }

  /** Sends again and again, until stopped or closed. */
  trickle(bytes: string, everyMs: number): () => void {
    const timer = setInterval(() => this.socket.write(bytes), everyMs);
    this.socket.once('close', () => clearInterval(timer));
    return () => clearInterval(timer);
  }

  /** The status and the body of the last reply. */
  reply(): { status: number; headers: string; body: unknown } {
    const [head = '', body = ''] = this.received.split('\r\n\r\n').slice(-2);
    return { status: Number(head.split(' ')[1]), headers: head, body: body === '' ? '' : JSON.parse(body) };
  }

  destroy(): void {
    this.socket.destroy();
  }
}

/** How many connections the service has. */
export function openConnections({ app }: TestService): Promise<number> {
  const server = app.getHttpServer() as Server;
  return promisify(server.getConnections.bind(server))();
}

/**
 * A request whose body of `length` bytes is announced but not sent; answered with `100 Continue` when the service has
 * it.
 */
export const announced = (
  method: string,
  path: string,
  headers: Record<string, string>,
  length = 1_000,
): string =>
  [
    `${method} /api/v1${path} HTTP/1.1`,
    'Host: localhost',
    `Content-Length: ${length}`,
    'Expect: 100-continue',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

export const CONTINUE = '100 Continue\r\n\r\n';
