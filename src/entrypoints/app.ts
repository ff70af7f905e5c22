import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import compression from 'compression';
import { AppModule, type Extension } from './app.module.js';
import { API_DOCUMENT } from '../contract/api-document.js';
import { maskPath } from '../contract/secret-paths.js';
import { Cleanup } from '../platform/cleanup.js';
import { SETTINGS, type Settings } from '../platform/config/settings.js';
import { ErrorFilter } from '../platform/http/error.filter.js';
import { everyRequest } from '../platform/http/every-request.js';
import { PublicUrl } from '../platform/http/public-url.js';
import { ReplyAdapter } from '../platform/http/reply.adapter.js';
import { answerEdges, answerError, answerUnknown } from '../platform/http/server-edges.js';
import { AppLogger } from '../platform/logging/app-logger.js';
import { serveDocument } from '../platform/openapi/document.js';

/** Every route starts with it, but for those outside the API's versioning. */
export const API_PREFIX: [prefix: string, options: { exclude: string[] }] = [
  'api/v1',
  {
    exclude: [
      'health/live',
      'health/ready',
      'media/:id/video',
      'media/:id/thumbnail',
      'media/:id/hls/:token/*path',
      's/:token',
      's/:token/captions.vtt',
      's/:token/transcript',
      'assets/share/:name',
      'assets/share/scripts/:version/:name',
    ],
  },
];
/** Longer than the idle time of common load balancers, so that it is they who close a connection. */
const KEEP_ALIVE_MS = 65_000;
/** Running requests get this long to finish when the service stops. */
const STOP_DEADLINE_MS = 10_000;
const CLOSE_IDLE_EVERY_MS = 50;

/** The service, and what to do when it ends. */
export interface App {
  readonly nest: NestExpressApplication;
  readonly cleanup: Cleanup;
}

/** Builds the service on an open, migrated database. It serves nothing before `listen`. */
export async function createApp(
  environment?: Readonly<Record<string, string>>,
  extension?: Extension,
): Promise<App> {
  const cleanup = new Cleanup();
  try {
    const nest = await NestFactory.create<NestExpressApplication>(
      AppModule.register(cleanup, environment, 'stdout', extension),
      new ReplyAdapter(),
      {
        // Bodies are read by RequestGuard, once it is known who asks.
        bodyParser: false,
        // Why it cannot start is told once, by whoever called.
        logger: false,
        abortOnError: false,
      },
    );
    nest.useLogger(nest.get(AppLogger));
    configure(nest);
    return { nest, cleanup };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

function configure(app: NestExpressApplication): void {
  app.disable('x-powered-by');
  // Replies change with every signed address; hashing them for an ETag would be work for nothing.
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(everyRequest(app.get(AppLogger), maskPath));
  // What recipients get comes over lines of any kind; API clients are asked nothing more than before.
  app.use(['/s', '/assets', '/api/v1/shares'], compression());
  enableCors(app);
  app.setGlobalPrefix(...API_PREFIX);
  serveDocument(app, API_DOCUMENT);
  const adapter = app.getHttpAdapter();
  const docs = `${app.get(PublicUrl).path}/docs`;
  adapter.get('/', (_request, response) => adapter.redirect(response, 302, docs));
}

/** Headers of replies that scripts of other sites may read: names of files, revisions, those of tus, the id for support. */
const EXPOSED_HEADERS = [
  'Content-Disposition',
  'ETag',
  'Location',
  'Tus-Checksum-Algorithm',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Defer-Length',
  'Upload-Length',
  'Upload-Offset',
  'X-Request-Id',
];

function enableCors(app: NestExpressApplication): void {
  const { corsOrigins } = app.get<Settings>(SETTINGS);
  if (corsOrigins.length === 0) return;
  app.enableCors({
    origin: corsOrigins.includes('*') ? '*' : [...corsOrigins],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
  });
}

/** Starts listening; resolves to the port that was taken. */
export async function listen({ nest }: App): Promise<number> {
  const { host, port } = nest.get<Settings>(SETTINGS);
  await nest.init();
  nest.use(answerUnknown, answerError(new ErrorFilter(nest.get(AppLogger))));
  const server = nest.getHttpServer() as Server;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  // An upload takes as long as it takes; JSON bodies have a deadline of their own.
  server.requestTimeout = 0;
  answerEdges(server);
  await nest.listen(port, host);
  const address = server.address();
  const taken = typeof address === 'object' && address ? address.port : port;
  nest.get(PublicUrl).setPort(taken);
  return taken;
}

/** Stops taking requests, lets running ones finish, then lets go of the database. */
export async function stop({ nest, cleanup }: App): Promise<void> {
  const server = nest.getHttpServer() as Server;
  // Connections that fall idle later, when their last reply is out, would be kept for another request.
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), STOP_DEADLINE_MS);
  try {
    await nest.close();
  } finally {
    clearInterval(idle);
    clearTimeout(deadline);
    await cleanup.run();
  }
}
