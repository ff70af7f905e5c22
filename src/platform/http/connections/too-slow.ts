import type { Request, Response } from 'express';
import { PlatformError } from '../../errors/platform-error.js';
import type { ErrorFilter } from '../error.filter.js';
import type { Connection } from './connection.js';

declare global {
  namespace Express {
    interface Request {
      /** Set by `closeWhenSlow`. */
      closesWhenSlow?: boolean;
    }
  }
}

/**
 * From now on, the connection is closed without a reply if the body is too slow: the clients of some protocols resume after
 * that, but give up after a reply of 408.
 */
export function closeWhenSlow(request: Request): void {
  request.closesWhenSlow = true;
}

/** Ends a request whose body arrives too slowly. To its handler, the connection broke. */
export function answerTooSlow({ request, response, socket }: Connection, filter: ErrorFilter): void {
  // Express has extended them.
  const [slow, reply] = [request as Request, response as Response];
  const error = new PlatformError('REQUEST_TIMEOUT', 'The request body arrived too slowly.', {
    headers: { Connection: 'close' },
  });
  slow.errorCode = error.code;
  if (reply.headersSent || slow.closesWhenSlow) {
    socket.destroy();
    return;
  }
  reply.once('close', () => slow.destroy(brokenConnection()));
  filter.answer(error, slow, reply);
}

/** Like Node's own. */
function brokenConnection(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}
