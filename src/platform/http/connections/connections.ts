import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PlatformError } from '../../errors/platform-error.js';
import type { AppLogger } from '../../logging/app-logger.js';
import { limitedAddress } from '../client-address.js';
import type { ErrorFilter } from '../error.filter.js';
import { endWithReply } from '../raw-reply.js';
import { Connection } from './connection.js';
import type { ConnectionLimits } from './connection-limits.js';
import { answerTooSlow } from './too-slow.js';

/** How often refused connections are logged, as an attack may cause thousands a second. */
const LOG_EVERY_MS = 60_000;
const RETRY = { headers: { 'Retry-After': '5' } };

export interface ConnectionsOptions {
  readonly limits: ConnectionLimits;
  /** At the same time. */
  readonly max: number;
  /** At the same time from one address; 0 for any number. */
  readonly maxPerAddress: number;
  /** Whether this is the address of a trusted proxy, to which `maxPerAddress` does not apply. */
  readonly isProxy: (address: string) => boolean;
}

/**
 * All connections of the HTTP server: how many there may be, and how slow their clients. A connection too many takes the
 * place of one that has no request or whose client is far behind; if there is none, it is refused.
 */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  /** By address. */
  private readonly peers = new Map<string, Set<Connection>>();
  private checkedAt = performance.now();
  private loggedAt = -Infinity;
  private refused = 0;

  constructor(
    private readonly options: ConnectionsOptions,
    private readonly filter: ErrorFilter,
    private readonly logger: AppLogger,
  ) {}

  /** To be called before the server listens. */
  guard(server: Server): void {
    const { headers, idle, check } = this.options.limits;
    server.headersTimeout = headers;
    server.keepAliveTimeout = idle;
    // Node reads it when it starts listening, though the types only declare it for `createServer`.
    Object.assign(server, { connectionsCheckingInterval: check });
    // Node's own listener, which starts to read requests.
    const accept = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      if (this.admit(socket)) for (const listener of accept) listener.call(server, socket);
    });
    server.prependListener('request', (request, response) => this.begin(request, response));
    const timer = setInterval(() => this.check(), check).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Whether a request on this connection is being handled or answered. */
  isAnswering(socket: Socket): boolean {
    return this.open.get(socket)?.isAnswering ?? false;
  }

  /** Whether the connection was accepted. */
  private admit(socket: Socket): boolean {
    const ip = socket.remoteAddress;
    // Already closed by the client.
    if (ip === undefined) {
      socket.destroy();
      return false;
    }
    const { max, maxPerAddress, isProxy } = this.options;
    const address = limitedAddress(ip);
    const peer = this.peers.get(address) ?? new Set();
    const limited = maxPerAddress > 0 && !isProxy(ip);
    if (limited && peer.size >= maxPerAddress && !this.spareOne(peer)) {
      return this.refuse(socket, new PlatformError('RATE_LIMITED', 'Too many connections.', RETRY));
    }
    if (this.open.size >= max && !this.spareOne(this.open.values())) {
      return this.refuse(socket, new PlatformError('SERVICE_UNAVAILABLE', undefined, RETRY));
    }
    const connection = new Connection(socket, address);
    this.open.set(socket, connection);
    this.peers.set(address, peer);
    peer.add(connection);
    socket.once('close', () => this.forget(connection));
    return true;
  }

  private refuse(socket: Socket, error: PlatformError): false {
    this.refused += 1;
    // Nothing else listens; a client that is already gone is of no interest.
    socket.on('error', () => {});
    endWithReply(socket, error);
    socket.destroySoon();
    return false;
  }

  /** Closes the connection that is easiest to spare; false if there is none. */
  private spareOne(among: Iterable<Connection>): boolean {
    const now = performance.now();
    let best: Connection | null = null;
    let highest = 0;
    for (const connection of among) {
      const rank = connection.spareRank(now, this.options.limits);
      if (rank > highest) [best, highest] = [connection, rank];
    }
    if (!best) return false;
    this.forget(best);
    best.socket.destroy();
    return true;
  }

  /** May be called more than once. */
  private forget(connection: Connection): void {
    this.open.delete(connection.socket);
    const peer = this.peers.get(connection.address);
    // Another one if the address has reconnected.
    if (!peer?.delete(connection)) return;
    if (peer.size === 0) this.peers.delete(connection.address);
  }

  private begin(request: IncomingMessage, response: ServerResponse): void {
    this.open.get(request.socket)?.begin(request, response);
  }

  private check(): void {
    const { limits } = this.options;
    const now = performance.now();
    // While this process is blocked, no client is to blame.
    const elapsed = Math.min(now - this.checkedAt, 2 * limits.check);
    this.checkedAt = now;
    for (const connection of this.open.values()) {
      const verdict = connection.check(now, elapsed, limits);
      if (verdict === 'dead') connection.socket.destroy();
      if (verdict === 'slow-body') answerTooSlow(connection, this.filter);
    }
    if (this.refused > 0 && now - this.loggedAt > LOG_EVERY_MS) this.logRefused(now);
  }

  private logRefused(now: number): void {
    this.logger.warn({ refused: this.refused, open: this.open.size }, 'connections refused: limit reached');
    this.refused = 0;
    this.loggedAt = now;
  }
}
