import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OutboundClient } from '../../src/platform/outbound/outbound-client.js';
import { REDIRECT } from './oauth.js';
import type { TestService } from './service.js';
import { LOCAL_TLS } from './tls.js';

/** A site on which OAuth clients publish their metadata, by https; `reach` lets a service send requests to it. */
export class ClientDocuments {
  /** The paths of all requests. */
  readonly requests: string[] = [];
  private readonly replies = new Map<string, RequestListener>();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      this.requests.push(request.url ?? '');
      const reply = this.replies.get(request.url ?? '');
      if (reply) reply(request, response);
      else response.writeHead(404).end();
    });
  }

  static async start(): Promise<ClientDocuments> {
    const server = createServer(LOCAL_TLS).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ClientDocuments(server);
  }

  /** Trusts the certificate, and permits addresses of this machine. */
  reach({ app }: Pick<TestService, 'app'>): void {
    const options = { allowPrivate: true, ca: LOCAL_TLS.cert };
    Object.assign(app.get<object>(OutboundClient), { options });
  }

  url(path: string): string {
    return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  answer(path: string, reply: RequestListener): string {
    this.replies.set(path, reply);
    return this.url(path);
  }

  /** Publishes the metadata of a public client, and returns its `client_id`. */
  publish(path: string, metadata: object = {}): string {
    const id = this.url(path);
    const body = JSON.stringify({
      client_id: id,
      client_name: 'Published',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      ...metadata,
    });
    return this.answer(path, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
