import type { IncomingMessage, ServerResponse } from 'node:http';

/** As nginx has it (`lingering_time`): long enough for a client that still sends to see the reply. */
const LINGER_MS = 30_000;

/**
 * Node discards what is left of a body when the reply is out, so that the connection serves the next request, however long
 * that takes. Ends the connection of a body that nobody began to read when it goes on for too long after the reply.
 */
export function limitUnreadBody(
  request: IncomingMessage,
  response: ServerResponse,
  lingerMs = LINGER_MS,
): void {
  // Before the listener of Node, which begins to discard.
  response.prependOnceListener('finish', () => {
    if (request.complete || request.readableFlowing !== null) return;
    const timer = setTimeout(() => request.destroy(), lingerMs).unref();
    request.once('close', () => clearTimeout(timer));
  });
}
