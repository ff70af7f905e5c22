import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { PlatformError } from '../errors/platform-error.js';

/** A signal that aborts when nobody waits for the reply any more. */
export function clientGone(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (response.writableFinished) return;
    gone.abort(new PlatformError('REQUEST_TIMEOUT', 'The connection ended before the reply was there.'));
  });
  return gone.signal;
}

/** `clientGone` of the request; declare the parameter as `AbortSignal`. */
export const ClientGone = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal =>
  clientGone(context.switchToHttp().getResponse<Response>()),
);
