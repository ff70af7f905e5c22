import cluster from 'node:cluster';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AppLogger } from '../../logging/app-logger.js';
import { METRICS } from '../../telemetry/metrics.js';
import { BODY_LIMITS } from '../../http-limits.js';

/** In milliseconds. How fast a client has to be, and limits by address, are left to a proxy. */
export const SERVER_LIMITS = {
  // Uploads take as long as a meeting. Bodies that are parsed have `BODY_LIMITS.readMs`.
  requestTimeout: 0,
  headersTimeout: 20_000,
  /** How often Node looks for headers that take too long. */
  connectionsCheckingInterval: 1_000,
  /** Without a request. Longer than common load balancers, so that they close idle connections first. */
  keepAliveTimeout: 65_000,
  /** Without a byte in either direction: a paused upload, or a player that no longer reads and will reconnect. */
  timeout: 300_000,
};

/** An attack may cause thousands a second. */
const LOG_EVERY_MS = 60_000;

/** Sets the limits; called before the server listens. */
export function limitServer(
  server: Server,
  limits: typeof SERVER_LIMITS,
  maxConnections: number,
  logger: AppLogger,
): void {
  // Node reads the interval when it starts listening, though the types only declare it for `createServer`.
  Object.assign(server, limits);
  let loggedAt = -Infinity;
  const warn = (): void => {
    METRICS.refusals.inc({ reason: 'connections' });
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    logger.warn({ maxConnections }, 'connections are closed: MAX_CONNECTIONS is reached');
  };
  if (cluster.isWorker) closeAbove(server, maxConnections, warn);
  else server.on('drop', warn).maxConnections = maxConnections;
}

/** In a cluster, Node would offer a connection above `maxConnections` to one process after another, without an end. */
function closeAbove(server: Server, maxConnections: number, onClose: () => void): void {
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => (open -= 1));
    if (open <= maxConnections) return;
    socket.destroy();
    onClose();
  });
}

/** Closes the connection if an unread body still arrives too long after the reply; Node would discard it forever. */
export function limitUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  // Before Node's own listener, which starts discarding.
  response.prependOnceListener('finish', () => {
    if (request.complete || request.readableFlowing !== null) return;
    const timer = setTimeout(() => request.destroy(), BODY_LIMITS.lingerMs).unref();
    request.once('close', () => clearTimeout(timer));
  });
}

const connections = new WeakMap<Server, Set<Socket>>();

/** Tracks connections; called before the server listens. */
export function watchConnections(server: Server): void {
  const sockets = new Set<Socket>();
  connections.set(server, sockets);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
}

/** Also closes connections that clients opened ahead and have not used: Node itself waits for their first request. */
export function closeIdleConnections(server: Server): void {
  server.closeIdleConnections();
  for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
}
