import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import type { RunningService } from './lifecycle.js';
import { logStart } from './start-line.js';
import { explainPort, workerHealthAddress, type Address } from './listening-port.js';
import { DomainError } from '../contract/domain-error.js';
import { HealthService } from '../modules/health/health.service.js';
import { SETTINGS, type Settings } from '../platform/config/settings.js';
import { ServiceError } from '../platform/errors/service-error.js';
import { Cleanup } from '../platform/runtime/cleanup.js';
import { ProcessRegistry } from '../platform/processes/process-registry.js';
import { JobsService } from '../platform/jobs/jobs.service.js';
import { announceConfinement, confinement } from '../lib/processes/confinement.js';
import { startTracing } from './start-tracing.js';
import { AppLogger } from '../platform/logging/app-logger.js';

/** Starts running jobs, on an open, migrated database. */
export async function startWorker(environment?: Readonly<Record<string, string>>): Promise<RunningService> {
  const cleanup = new Cleanup();
  // Meanwhile, the rest of the service starts.
  void confinement();
  try {
    const context = await NestFactory.createApplicationContext(AppModule.register(cleanup, environment), {
      logger: false,
      abortOnError: false,
    });
    const logger = context.get(AppLogger);
    // Its lines may be in one stream with those of the API.
    logger.pino.setBindings({ role: 'worker' });
    context.useLogger(logger);
    // Otherwise the command that has started it says so.
    if (!process.send) logStart(logger, 'worker');
    await announceConfinement(logger);
    const settings = context.get<Settings>(SETTINGS);
    await cleanup.hold(
      () => startTracing(settings, 'worker', logger),
      (end) => end(),
    );
    const address = workerHealthAddress(settings);
    const health = address && (await serveWorkerHealth(context.get(HealthService), address));
    await context.get(JobsService).start();
    await context.get(ProcessRegistry).start('worker');
    logger.info(health ? { healthPort: health.port } : {}, 'worker started');
    return {
      logger,
      stop: async () => {
        await context.close();
        health?.close();
        await cleanup.run();
      },
    };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

const MAX_CONNECTIONS = 100;

/** Answers `/health/live` and `/health/ready` as the API does, for a worker. Throws if it cannot listen. */
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
