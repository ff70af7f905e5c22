import type { Server } from 'node:http';
import type { Socket } from 'node:net';

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
