import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export type Answer = (response: ServerResponse, request: ReceivedRequest) => unknown;

/** A server on 127.0.0.1 that answers as a test says, such as no service should. */
export class ScriptedServer {
  readonly received: ReceivedRequest[] = [];
  /** Of the next requests, in order; the last one stays. */
  answers: Answer[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.answer(request, response));
  }

  static async start(): Promise<ScriptedServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedServer(server);
  }

  get base(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** `PATCH /api/v1/uploads/1` of each request. */
  get lines(): string[] {
    return this.received.map(({ method, url }) => `${method} ${url}`);
  }

  reset(): void {
    this.received.splice(0);
    this.answers = [];
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const body = await buffer(request).catch(() => null);
    // Aborted by the client.
    if (body === null) return;
    const received = { method, url, headers, body };
    this.received.push(received);
    const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
    answer?.(response, received);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

export const ok = (data: unknown): Answer => json(200, { data });

export const refuse = (status: number, code: string, headers?: Record<string, string>): Answer =>
  json(status, { error: { code, message: `It is ${code}` } }, headers);

export const drop: Answer = (response) => response.destroy();
