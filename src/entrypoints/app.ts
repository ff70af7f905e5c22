import type { Server } from 'node:http';
import type { HttpServer, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import compression from 'compression';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { AppModule } from './app.module.js';
import { OPERATION_COMMANDS } from './cli/server/operation-commands.js';
import { API_DOCUMENT } from '../contract/api-document.js';
import { maskPath } from '../contract/secret-paths.js';
import { BrowserTokenSigner } from '../modules/browser-tokens/browser-token-signer.service.js';
import { METADATA_PATH } from '../modules/mcp/mcp.controller.js';
import { BrandingService } from '../modules/organizations/branding/branding.service.js';
import { PlatformError } from '../platform/errors/platform-error.js';
import { Cleanup } from '../platform/runtime/cleanup.js';
import { SETTINGS, type Settings } from '../platform/config/settings.js';
import { trustProxies, warnOfUndeclaredProxy } from '../platform/http/requests/client-address.js';
import { ErrorFilter } from '../platform/http/replies/error.filter.js';
import { everyRequest } from '../platform/http/server/every-request.js';
import { EXPOSED_HEADERS } from '../platform/http/replies/exposed-headers.js';
import { knownRoutes } from '../platform/http/server/known-routes.js';
import { overrideMethod } from '../platform/http/server/method-override.js';
import { PublicUrl } from '../platform/http/server/public-url.js';
import { PUBLIC_PATH } from '../platform/http/replies/reply-headers.js';
import { ReplyAdapter } from '../platform/http/replies/reply.adapter.js';
import { SessionCookie } from '../platform/http/requests/session-cookie.js';
import { RequestLimits } from '../platform/http/requests/request-limits.js';
import {
  answerEdges,
  answerError,
  answerUnknown,
  countAnonymous,
} from '../platform/http/server/server-edges.js';
import {
  closeIdleConnections,
  limitServer,
  SERVER_LIMITS,
  watchConnections,
} from '../platform/http/server/server-limits.js';
import { startTracing } from './start-tracing.js';
import { AppLogger } from '../platform/logging/app-logger.js';
import { serveDocs } from '../platform/openapi/docs-page.js';

/** Prefix of every route, except those outside the API's versioning. */
export const API_PREFIX: [prefix: string, options: { exclude: string[] }] = [
  'api/v1',
  {
    exclude: [
      'health/*path',
      'docs/demo-key',
      'media/:id/*path',
      'exports/:id/file',
      'join/:token',
      'sign-in',
      'sign-in/*path',
      'sign-out',
      's/:token',
      's/:token/*path',
      'assets/*path',
      'app',
      'app/*path',
      'account',
      'account/*path',
      'mcp',
      'scim/v2/*path',
      'oauth/*path',
      '.well-known/*path',
    ],
  },
];
/** Time that running requests get to finish when the service stops. */
const STOP_DEADLINE_MS = 10_000;
const CLOSE_IDLE_EVERY_MS = 50;

/** The running service, and how to stop it. */
export interface App {
  readonly nest: NestExpressApplication;
  readonly cleanup: Cleanup;
}

/** Builds the service on an open, migrated database. It accepts no requests before `listen`. */
export async function createApp(
  environment?: Readonly<Record<string, string>>,
  more?: readonly Type[],
): Promise<App> {
  const cleanup = new Cleanup();
  try {
    const nest = await NestFactory.create<NestExpressApplication>(
      AppModule.register(cleanup, environment, 'stdout', more),
      new ReplyAdapter(),
      {
        // RequestGuard reads bodies, after authentication.
        bodyParser: false,
        // The caller reports why the service cannot start.
        logger: false,
        abortOnError: false,
      },
    );
    const logger = nest.get(AppLogger);
    nest.useLogger(logger);
    await cleanup.hold(
      () => startTracing(nest.get<Settings>(SETTINGS), 'api', logger),
      (end) => end(),
    );
    configure(nest);
    return { nest, cleanup };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

function configure(app: NestExpressApplication): void {
  app.disable('x-powered-by');
  // Signed URLs make every reply different, so hashing replies for an ETag would be useless.
  app.disable('etag');
  app.set('query parser', 'simple');
  app.setLocal(PUBLIC_PATH, app.get(PublicUrl).path);
  trustProxies(app, app.get<Settings>(SETTINGS));
  app.use(everyRequest(app.get(AppLogger), maskPath));
  // Share pages may be opened on slow connections. Of the API's other replies, `Compresses` says which are.
  const captions = ['/media/:id/captions.vtt', '/media/:id/hls/:token/:version/captions.vtt'];
  app.use(['/s', '/api/v1/shares', ...captions], compression());
  enableCors(app);
  // tus 1.0, `X-HTTP-Method-Override`.
  app.use('/api/v1/uploads', overrideMethod);
  app.setGlobalPrefix(...API_PREFIX);
  if (!app.get<Settings>(SETTINGS).mcp) app.use(['/mcp', METADATA_PATH], refuseUnknown);
  const branding = app.get(BrandingService);
  app.use(OF_THE_SERVICE, async (request: Request, _: Response, next: NextFunction) =>
    next((await branding.isAskedAtDomain(request)) ? new PlatformError('NOT_FOUND') : undefined),
  );
  serveHome(app);
}

/** Pages with a session, or where one begins: at the domain of an organization, there are only share pages. */
const OF_THE_SERVICE = ['/account', '/app', '/join', '/oauth', '/sign-in', '/sign-out', /^\/$/];

/** As for any URL that does not exist. */
const refuseUnknown: RequestHandler = (_request, _response, next) => next(new PlatformError('NOT_FOUND'));

/** The root takes people to the library, other browsers to the API docs, and tells other clients where to find what. */
function serveHome(app: NestExpressApplication): void {
  const settings = app.get<Settings>(SETTINGS);
  const limits = app.get(RequestLimits);
  app.use(/^\/(docs(\/.*)?|openapi\.\w+)?$/i, countAnonymous(limits));
  if (settings.apiDocs) serveDocs(app, { ...API_DOCUMENT, commands: OPERATION_COMMANDS });
  const publicUrl = app.get(PublicUrl);
  const session = app.get(SessionCookie);
  const server: HttpServer = app.getHttpAdapter();
  server.get('/', (request: Request, response: Response) => {
    response.vary('Accept, Cookie');
    if (request.accepts('json', 'html') !== 'html')
      return response.json({ data: homeOf(publicUrl, settings) });
    const hasSession = session.read(request) !== undefined || !settings.apiDocs;
    return response.redirect(302, `${publicUrl.path}/${hasSession ? 'app' : 'docs'}`);
  });
}

const homeOf = (publicUrl: PublicUrl, { mcp, apiDocs }: Pick<Settings, 'mcp' | 'apiDocs'>) => ({
  name: API_DOCUMENT.title,
  library: publicUrl.resolve('/app'),
  api: publicUrl.resolve('/api/v1'),
  ...(apiDocs ? { docs: publicUrl.resolve('/docs'), openapi: publicUrl.resolve('/openapi.json') } : {}),
  ...(mcp ? { mcp: publicUrl.resolve('/mcp') } : {}),
  health: publicUrl.resolve('/health/ready'),
});

/**
 * Media plays on any site, whatever `CORS_ORIGINS` says: the signed URL is the permission, and there is no cookie. Nor is there one
 * in what OAuth clients request by themselves.
 */
const OPEN = [
  { paths: /^\/media\//i, methods: ['GET', 'HEAD'] },
  {
    paths: /^\/(\.well-known\/oauth-|oauth\/(token|register|revoke|device-authorization)$)/i,
    methods: ['GET', 'POST'],
  },
];

function enableCors(app: NestExpressApplication): void {
  const { corsOrigins } = app.get<Settings>(SETTINGS);
  const origin = corsOrigins.includes('*') ? '*' : corsOrigins.length > 0 && [...corsOrigins];
  const common = { exposedHeaders: EXPOSED_HEADERS, maxAge: 86_400 };
  const tokens = app.get(BrowserTokenSigner);
  app.enableCors((request: Request, done) => {
    const open = OPEN.find(({ paths }) => paths.test(request.path));
    const options = open
      ? { origin: '*', methods: open.methods, ...common }
      : { origin: tokens.originsFor(request, origin), ...common };
    if (request.method !== 'OPTIONS') return done(null, options);
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    // Any other OPTIONS request asks what the URL accepts.
    return done(null, { ...options, preflightContinue: !isPreflight });
  });
}

/** Starts listening; resolves to the port in use. */
export async function listen({ nest }: App, limits = SERVER_LIMITS): Promise<number> {
  const settings = nest.get<Settings>(SETTINGS);
  const { host, port, maxConnections, adviceContact } = settings;
  await nest.init();
  const publicUrl = nest.get(PublicUrl);
  const filter = new ErrorFilter(nest.get(AppLogger), adviceContact, undefined, publicUrl);
  const routes = knownRoutes(nest.getHttpAdapter().getInstance() as Express);
  const docs = settings.apiDocs ? `${publicUrl.path}/docs` : null;
  nest.use(answerUnknown(nest.get(RequestLimits), routes, docs), answerError(filter));
  const server = nest.getHttpServer() as Server;
  watchConnections(server);
  limitServer(server, limits, maxConnections, nest.get(AppLogger));
  answerEdges(server, publicUrl);
  warnOfUndeclaredProxy(server, settings, nest.get(AppLogger));
  await nest.listen(port, host);
  const address = server.address();
  const taken = typeof address === 'object' && address ? address.port : port;
  publicUrl.setPort(taken);
  return taken;
}

/** Stops accepting requests, lets running ones finish, then releases the database. */
export async function stop({ nest, cleanup }: App): Promise<void> {
  const server = nest.getHttpServer() as Server;
  // Otherwise connections that become idle later would be kept open for another request.
  const idle = setInterval(() => closeIdleConnections(server), CLOSE_IDLE_EVERY_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), STOP_DEADLINE_MS);
  try {
    await nest.close();
  } finally {
    clearInterval(idle);
    clearTimeout(deadline);
    await cleanup.run();
  }
}
