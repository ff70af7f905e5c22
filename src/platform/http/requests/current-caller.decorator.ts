import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** Injects the caller that the API key guard authenticated; declare the parameter as `Caller`. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): unknown =>
    context.switchToHttp().getRequest<Request & { caller?: unknown }>().caller,
);
