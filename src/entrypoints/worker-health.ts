import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DomainError } from '../contract/domain-error.js';
import type { HealthService } from '../modules/health/health.service.js';
import { ServiceError } from '../platform/errors/service-error.js';
import { explainPort, type Address } from './listening-port.js';

const MAX_CONNECTIONS = 100;

/**
 * Answers `/health/live` and `/health/ready` as the API does, for a worker that runs jobs: it serves nothing else.
 * Throws if it cannot listen.
 */
export async function serveWorkerHealth(
  health: HealthService,
  address: Address,
): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((request, response) => void answer(health, request, response));
  server.maxConnections = MAX_CONNECTIONS;
  try {
    await once(server.listen(address.port, address.host), 'listening');
  } catch (error) {
    throw await explainPort(error, address);
  }
  const { port } = server.address() as AddressInfo;
  return { port, close: () => server.close() };
}

async function answer(
  health: HealthService,
  { url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [status, body] = await replyTo(health, url.split('?')[0]);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', connection: 'close' });
  response.end(JSON.stringify(body));
}

async function replyTo(
  health: HealthService,
  path: string | undefined,
): Promise<[status: number, body: object]> {
  if (path === '/health/live') return [200, { data: { status: 'ok' } }];
  try {
    if (path === '/health/ready') return [200, { data: await health.ready() }];
    throw new DomainError('NOT_FOUND', 'A worker answers only /health/live and /health/ready.');
  } catch (error) {
    const { status, code, message } =
      error instanceof ServiceError ? error : new DomainError('INTERNAL_ERROR');
    return [status, { error: { code, message } }];
  }
}
