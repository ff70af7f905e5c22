import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** A request as a receiver sees it. */
export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body, loosely typed: each test states what it expects. Null if it is lines of JSON. */
  readonly body: ReturnType<typeof JSON.parse>;
}

/** How the receiver answers; default: 204. */
export type ReceiverBehaviour =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string | Buffer }
  | ((response: ServerResponse, request: IncomingMessage) => void)
  /** Never answers. */
  | 'hang';

/** A receiver of webhooks on 127.0.0.1. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** Behaviours of the next requests, in order. */
  next: ReceiverBehaviour[] = [];
  /** The behaviour of all others. */
  behaviour: ReceiverBehaviour = { status: 204 };

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.answer(request, response));
  }

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(createServer());
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** Bodies received at this path. */
  at(path: string): ReceivedWebhook['body'][] {
    return this.received.filter((one) => one.path === path).map(({ body }) => body);
  }

  /** The lines of all bodies received at this path. */
  lines(path: string): ReceivedWebhook['body'][] {
    const bodies = this.received.filter((one) => one.path === path).map(({ text: body }) => body.trimEnd());
    return bodies.flatMap((body) => body.split('\n').map((line) => JSON.parse(line)));
  }

  types(path = '/'): string[] {
    return this.at(path).map(({ type }) => type);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => null);
    // The sender was killed.
    if (body === null) return;
    const { url: path = '', headers } = request;
    this.received.push({
      path,
      headers: headers as Record<string, string>,
      text: body,
      body: isOne(body) ? JSON.parse(body) : null,
    });
    const behaviour = this.next.shift() ?? this.behaviour;
    if (behaviour === 'hang') return;
    if (typeof behaviour === 'function') return behaviour(response, request);
    response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body);
  }
}

/** Whether a body is one object or list, and not lines of them. */
const isOne = (body: string): boolean => !body.trimEnd().includes('\n');

/** Whether a signature is valid with the secret, by the published library. */
export function isSigned({ text: body, headers }: ReceivedWebhook, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
