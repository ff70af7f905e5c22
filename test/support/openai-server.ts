import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';

/** A request as received. */
export interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** One operation of the API: `openai-transcriptions.ts`, `openai-chat.ts`. */
export interface ModelRoute {
  /** Relative to the base URL: `/audio/transcriptions`. */
  readonly path: string;
  /** Checks the request, records it for the test, and returns the JSON of the usual reply. Throws `BadRequest`. */
  answer(request: ModelRequest): Promise<unknown>;
}

/** The request violates the published schema: the reply is 400, and the test fails because of `server.failures`. */
export class BadRequest extends Error {}

/** How one request is answered; `usual` is the JSON returned by the route. */
export type Behaviour = (response: ServerResponse, usual: unknown) => unknown;

/**
 * Local server with the OpenAI API. Every request is checked; a test ends with
 * `expect(server.failures).toEqual([])`.
 */
export class OpenAiServer {
  /** All requests, in order. */
  readonly requests: ModelRequest[] = [];
  /** Violations of the published schema by requests. */
  readonly failures: string[] = [];
  private readonly behaviours: Behaviour[] = [];
  private usually: Behaviour = fine;

  private constructor(
    private readonly server: Server,
    private readonly routes: readonly ModelRoute[],
  ) {}

  static async start(...routes: ModelRoute[]): Promise<OpenAiServer> {
    const server = OpenAiServer.of(routes);
    await server.listen();
    return server;
  }

  /** One that runs during the tests of a file, none of which may violate the schema. */
  static ofTests(...routes: ModelRoute[]): OpenAiServer {
    const server = OpenAiServer.of(routes);
    beforeAll(() => server.listen());
    afterEach(() => {
      expect(server.failures).toEqual([]);
      server.reset();
    });
    afterAll(() => server.stop());
    return server;
  }

  private static of(routes: readonly ModelRoute[]): OpenAiServer {
    const http = createServer((request, response) => {
      server.handle(request, response).catch((error: unknown) => {
        // A client that disconnects in the middle of a request is not a failure.
        if (request.complete) server.failures.push(String(error));
        response.destroy();
      });
    });
    const server: OpenAiServer = new OpenAiServer(http, routes);
    return server;
  }

  private async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  /** Base URL, for the `url` of an adapter. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** How the next requests are answered, one each; later ones as usual. */
  next(...behaviours: Behaviour[]): void {
    this.behaviours.push(...behaviours);
  }

  /** How requests are answered that `next` does not cover. */
  always(behaviour: Behaviour): void {
    this.usually = behaviour;
  }

  /** Back to the initial state. */
  reset(): void {
    this.behaviours.length = 0;
    this.usually = fine;
    this.requests.length = 0;
    this.failures.length = 0;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (incoming.url ?? '').replace(/^\/v1/, '');
    const behaviour = this.behaviours.shift() ?? this.usually;
    const request = { path, headers: incoming.headers, body: await buffer(incoming) };
    this.requests.push(request);
    const route = this.routes.find((one) => incoming.method === 'POST' && one.path === path);
    if (!route) return this.refuse(response, 404, `no operation ${incoming.method} ${path}`);
    try {
      await behaviour(response, await route.answer(request));
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      this.refuse(response, 400, error.message);
    }
  }

  private refuse(response: ServerResponse, status: number, message: string): void {
    this.failures.push(message);
    sendError(response, status, message);
  }
}

function fine(response: ServerResponse, usual: unknown): void {
  sendJson(response, 200, usual);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: object = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** The error object of the API. */
export function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  { code = null as string | null, headers = {} as object } = {},
): void {
  sendJson(response, status, { error: { type: 'error', code, param: null, message } }, headers);
}
