import type { IncomingMessage, ServerResponse } from 'node:http';

/** The default of nginx (`lingering_time`): long enough for a client that is still sending to read the reply. */
const LINGER_MS = 30_000;

/**
 * After the reply, Node discards the rest of the body to reuse the connection, however long that takes. Closes the
 * connection if a body that nothing started to read is still arriving too long after the reply.
 */
export function limitUnreadBody(
  request: IncomingMessage,
  response: ServerResponse,
  lingerMs = LINGER_MS,
): void {
  // Before Node's own listener, which starts discarding.
  response.prependOnceListener('finish', () => {
    if (request.complete || request.readableFlowing !== null) return;
    const timer = setTimeout(() => request.destroy(), lingerMs).unref();
    request.once('close', () => clearTimeout(timer));
  });
}
