import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { PlatformError } from '../../errors/platform-error.js';

/** A signal that aborts when the client disconnects before the reply is sent. */
export function clientGone(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (response.writableFinished) return;
    gone.abort(
      new PlatformError('REQUEST_TIMEOUT', 'The connection was closed before the response was ready.'),
    );
  });
  return gone.signal;
}

/** Injects the `clientGone` signal of the request; declare the parameter as `AbortSignal`. */
export const ClientGone = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal =>
  clientGone(context.switchToHttp().getResponse<Response>()),
);
