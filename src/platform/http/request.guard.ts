import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { DomainError } from '../errors/domain-error.js';
import { ENDPOINT_INPUTS, type EndpointInputs } from '../openapi/endpoint.decorator.js';
import { hasBody, readJsonBody } from './body.js';
import { shown } from './request.pipe.js';

/**
 * Reads the body once it is known who asks: a caller without a key costs no parsing and learns nothing about the body.
 * Refuses query parameters and bodies where an operation takes none.
 */
@Injectable()
export class RequestGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const inputs = this.reflector.get<EndpointInputs | undefined>(ENDPOINT_INPUTS, context.getHandler());
    const request = context.switchToHttp().getRequest<Request>();
    if (!inputs?.stream && hasBody(request)) {
      return takeBody(request, context.switchToHttp().getResponse<Response>(), inputs);
    }
    if (!inputs?.query) refuseQuery(request);
    return true;
  }
}

async function takeBody(request: Request, response: Response, inputs?: EndpointInputs): Promise<boolean> {
  const body = await readJsonBody(request, response);
  // Express leaves `body` undefined when nothing reads it.
  request.body = body;
  if (!inputs?.query) refuseQuery(request);
  if (!inputs?.body && body !== undefined) refuseBody(body);
  return true;
}

function refuseQuery(request: Request): void {
  // Express parses the query whenever it is asked for it.
  if (!request.url.includes('?')) return;
  refuseAll(Object.keys(request.query), 'unknown query parameter; there are none here');
}

function refuseBody(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new DomainError('VALIDATION_ERROR', 'body: this operation takes none');
  }
  refuseAll(Object.keys(body), 'unknown field; this operation takes no body');
}

function refuseAll([name]: readonly string[], reason: string): void {
  if (name !== undefined) throw new DomainError('VALIDATION_ERROR', `${shown(name)}: ${reason}`);
}
