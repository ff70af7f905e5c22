import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { PlatformError } from '../errors/platform-error.js';
import { ENDPOINT_INPUTS, type EndpointInputs } from './endpoint-inputs.js';
import { BODY_LIMITS } from './body-limits.js';
import { hasBody, isEmptyBody, readJsonBody } from './body.js';
import { printable } from '../text.js';

/**
 * Reads the body after authentication: a caller without a key costs no parsing and learns nothing about the body.
 * Rejects query parameters and bodies where an operation accepts none; such a body is not read.
 */
@Injectable()
export class RequestGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const inputs = this.reflector.get<EndpointInputs | undefined>(ENDPOINT_INPUTS, context.getHandler());
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!inputs?.query) refuseQuery(request);
    if (inputs?.stream || !hasBody(request)) return true;
    const response = http.getResponse<Response>();
    return inputs?.body ? acceptBody(request, response, inputs) : refuseBody(request, response);
  }
}

async function acceptBody(request: Request, response: Response, inputs: EndpointInputs): Promise<boolean> {
  const limit = inputs.public ? BODY_LIMITS.public : BODY_LIMITS.json;
  // Express leaves `body` undefined when nothing reads it.
  request.body = await readJsonBody(request, response, limit);
  return true;
}

async function refuseBody(request: Request, response: Response): Promise<boolean> {
  if (await isEmptyBody(request, response)) return true;
  throw new PlatformError('VALIDATION_ERROR', 'body: this operation does not accept a body');
}

function refuseQuery(request: Request): void {
  // Express parses the query on every access.
  if (!request.url.includes('?')) return;
  refuseAll(Object.keys(request.query), 'unknown query parameter (none allowed)');
}

function refuseAll([name]: readonly string[], reason: string): void {
  if (name !== undefined) throw new PlatformError('VALIDATION_ERROR', `${printable(name)}: ${reason}`);
}
