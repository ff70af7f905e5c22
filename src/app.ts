import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { AppModule } from './app.module.js';
import { SETTINGS, type Settings } from './platform/config/settings.js';
import { DatabaseServer } from './platform/database/database-server.js';
import { answerClientErrors } from './platform/http/client-error.js';
import { requestLog } from './platform/http/request-log.js';
import { JobsService } from './platform/jobs/jobs.service.js';
import { AppLogger } from './platform/logging/app-logger.js';
import { serveDocument } from './platform/openapi/document.js';

/** Every route starts with it, but for those outside the API's versioning. */
export const API_PREFIX: [prefix: string, options: { exclude: string[] }] = [
  'api/v1',
  { exclude: ['health/live', 'health/ready', 'media/:id/video', 's/:token'] },
];
/** Longer than the idle time of common load balancers, so that it is they who close a connection. */
const KEEP_ALIVE_MS = 65_000;
/** Running requests get this long to finish when the service stops. */
const STOP_DEADLINE_MS = 10_000;

/** Builds the service on an open, migrated database. It serves nothing before `listen`. */
export async function createApp(
  environment?: Readonly<Record<string, string>>,
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.register(environment), {
    // Bodies are read by RequestGuard, once it is known who asks.
    bodyParser: false,
    bufferLogs: true,
    abortOnError: false,
  });
  app.useLogger(app.get(AppLogger));
  configure(app);
  return app;
}

function configure(app: NestExpressApplication): void {
  app.disable('x-powered-by');
  // Replies change with every signed address; hashing them for an ETag would be work for nothing.
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(requestLog(app.get(AppLogger)));
  app.use(
    helmet({
      contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } },
      // Whether there is TLS in front is known to the proxy that ends it.
      strictTransportSecurity: false,
    }),
  );
  app.use('/api', (_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Cache-Control', 'no-store');
    next();
  });
  app.setGlobalPrefix(...API_PREFIX);
  serveDocument(app);
}

/** Starts jobs and listens; resolves to the port that was taken. */
export async function listen(app: NestExpressApplication): Promise<number> {
  const { host, port } = app.get<Settings>(SETTINGS);
  await app.init();
  await app.get(JobsService).start();
  const server = app.getHttpServer() as Server;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  answerClientErrors(server);
  await app.listen(port, host);
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

/** Stops taking requests, lets running ones finish, then lets go of the database. */
export async function stop(app: NestExpressApplication): Promise<void> {
  const database = app.get(DatabaseServer);
  const server = app.getHttpServer() as Server;
  const deadline = setTimeout(() => server.closeAllConnections(), STOP_DEADLINE_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(deadline);
    await database.release();
  }
}
