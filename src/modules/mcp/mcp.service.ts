import { credentialHeaders } from '../../platform/http/requests/session-cookie.js';
import type { Server } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request, Response } from 'express';
import { DomainError } from '../../contract/domain-error.js';
import { projectVersion } from '../../lib/project-root.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { clientAddress } from '../../platform/http/requests/client-address.js';
import { RequestLimits } from '../../platform/http/requests/request-limits.js';
import { clientGone } from '../../platform/http/requests/client-gone.decorator.js';
import { sendInProcess } from '../../platform/http/server/in-process.js';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import type { Caller } from '../../policy/caller.js';
import { withoutNull } from './server/arguments.js';
import { repliesOf, requireBatch } from './server/batches.js';
import { MeetingsApi, type SendRequest } from './server/meetings-api.js';

/** Those that the protocol reads. */
const FORWARDED = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

const STREAM = 'text/event-stream';

/**
 * Answers requests of MCP clients, each by itself. What tools do are requests to the API, made within the process with
 * the API key of the client: they count, are refused and are logged like any other.
 */
@Injectable()
export class McpService {
  private readonly version = projectVersion();

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly publicUrl: PublicUrl,
    private readonly limits: RequestLimits,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'corsOrigins'>,
    private readonly logger: AppLogger,
  ) {}

  async answer(caller: Caller, request: Request, response: Response): Promise<void> {
    this.requireOrigin(request.headers.origin);
    const body: unknown = request.body;
    const messages: unknown[] = [body].flat();
    const isBatch = Array.isArray(body);
    if (isBatch) requireBatch(messages, request.get('MCP-Protocol-Version'));
    // Each message is a request, the first of which has been counted.
    for (let nth = 1; nth < messages.length; nth += 1)
      await this.limits.countUser('user', caller.id, response);
    const meant = messages.map(withoutNull);
    const api = new MeetingsApi(this.sender(request, response), caller.apiKey.scopes);
    const report = (error: unknown): void =>
      this.logger.error({ requestId: request.id, err: error }, 'an MCP tool failed');
    const agent = request.headers['user-agent'] ?? null;
    // Not before somebody asks: its libraries take 15 MB.
    const [{ createMcpHandler }, { createMeetingsServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./server/meetings-server.js'),
    ]);
    const handler = createMcpHandler(() => createMeetingsServer({ api, report }, this.version, agent), {
      // Nothing is subscribed to: lists change only with the API key.
      maxSubscriptions: 0,
      onerror: (error) =>
        this.logger.debug({ requestId: request.id, err: error }, 'an MCP request was refused'),
    });
    try {
      const received = this.received(request, clientGone(response));
      const reply = await handler.fetch(received, { parsedBody: isBatch ? meant : meant[0] });
      const isStream = reply.headers.get('content-type') === STREAM;
      if (isStream && !request.get('Accept')?.includes(STREAM)) {
        const replies = repliesOf(await reply.text());
        response.status(reply.status).json(isBatch ? replies : replies[0]);
        return;
      }
      response.status(reply.status).setHeaders(reply.headers);
      if (reply.body) await pipeline(Readable.fromWeb(reply.body), response);
      else response.end();
    } catch (error) {
      // Otherwise the client has gone, and nobody is left to hear of it.
      if (!response.closed) throw error;
    }
  }

  /** Against pages of other origins that a browser takes for this service (DNS rebinding), as the protocol demands. */
  private requireOrigin(origin: string | undefined): void {
    const { corsOrigins } = this.settings;
    const isKnown =
      origin === undefined ||
      origin === new URL(this.publicUrl.base).origin ||
      corsOrigins.includes('*') ||
      corsOrigins.includes(origin);
    if (!isKnown)
      throw new DomainError('FORBIDDEN', 'Origin: pages of this origin may not use MCP; see CORS_ORIGINS.', {
        advice: 'see CORS_ORIGINS',
      });
  }

  private sender(request: Request, response: Response): SendRequest {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    const address = clientAddress(request);
    return ({ method, path, body, client, signal }) => {
      // What is left to do waits its turn as a request of its own, which must not wait for this one.
      response.slot?.();
      return sendInProcess(server, address, {
        method,
        path: `/api/v1${path}`,
        headers: {
          ...credentialHeaders(request),
          'x-request-id': request.id,
          ...(client === null ? {} : { 'user-agent': client }),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        body: body && JSON.stringify(body),
        signal,
      });
    };
  }

  private received({ headers }: Request, signal: AbortSignal): globalThis.Request {
    const forwarded = FORWARDED.flatMap((name): [string, string][] => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    });
    return new globalThis.Request(this.publicUrl.resolve('/mcp'), {
      method: 'POST',
      // Whoever accepts less gets the replies of the stream as JSON.
      headers: [['accept', `application/json, ${STREAM}`], ...forwarded],
      signal,
    });
  }
}
