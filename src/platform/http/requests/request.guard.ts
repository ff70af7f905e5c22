import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { PlatformError } from '../../errors/platform-error.js';
import { ENDPOINT_INPUTS, type EndpointInputs } from './endpoint-inputs.js';
import { BODY_LIMITS } from '../../http-limits.js';
import { hasBody, isEmptyBody, readJsonBody } from '../bodies/body.js';
import { setDeprecation } from '../replies/deprecation.js';
import { replyOptionsOf } from '../replies/reply-headers.js';
import { RequestLimits } from './request-limits.js';
import { printable } from '../../../lib/text.js';

const NOT_IN_PARTS =
  'Content-Range: a PUT replaces the whole resource, and parts of it are not taken; send the whole file, or upload media in parts by tus, with PATCH to the upload_url of the recording';

/** Unknown query parameters in one message. */
const MAX_NAMED = 10;

/** Without a caller, it was made without an API key. */
type CountedRequest = Request & { readonly caller?: { readonly id: string; readonly countedAs?: string } };
type Inputs = EndpointInputs | undefined;

/**
 * Reads the body after authentication: a caller without a key costs no parsing and learns nothing about the body.
 * Counts requests that the API key guard did not, and costly ones, before their body is read. Rejects query parameters
 * and bodies where an operation accepts none, and parts of a resource; such a body is not read.
 */
@Injectable()
export class RequestGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limits: RequestLimits,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const inputs = this.reflector.get<Inputs>(ENDPOINT_INPUTS, context.getHandler());
    const http = context.switchToHttp();
    const request = http.getRequest<CountedRequest>();
    const response = http.getResponse<Response>();
    const options = replyOptionsOf(context.getHandler());
    response.replyOptions = options;
    if (options?.deprecated) setDeprecation(response, options.deprecated);
    // Most requests have been counted with their API key; a promise that nobody needs would make them slower.
    if (inputs?.unlimited || (request.caller && inputs?.costly !== true))
      return this.accept(request, response, inputs);
    return this.count(request, response, inputs).then(() => this.accept(request, response, inputs));
  }

  private async count(request: CountedRequest, response: Response, inputs: Inputs): Promise<void> {
    if (!request.caller) await this.limits.countAddress('anonymous', request, response);
    if (inputs?.costly === true) await this.countCostly(request, response);
  }

  private countCostly(request: CountedRequest, response: Response): Promise<void> {
    return request.caller
      ? this.limits.countUser('userCostly', request.caller.countedAs ?? request.caller.id, response)
      : this.limits.countAddress('anonymousCostly', request, response);
  }

  private accept(request: CountedRequest, response: Response, inputs: Inputs): boolean | Promise<boolean> {
    if (!inputs?.query) refuseQuery(request);
    requireWhole(request);
    if (inputs?.stream || !hasBody(request)) return true;
    return inputs?.body ? this.acceptBody(request, response, inputs) : refuseBody(request, response);
  }

  private async acceptBody(request: CountedRequest, response: Response, inputs: EndpointInputs) {
    const limit = inputs.public ? BODY_LIMITS.public : BODY_LIMITS.json;
    // Express leaves `body` undefined when nothing reads it.
    const body = (request.body = await readJsonBody(request, response, limit));
    const isCostly = typeof inputs.costly === 'string' && hasField(body, inputs.costly);
    if (isCostly) await this.countCostly(request, response);
    return true;
  }
}

/** A part that is stored as if it were the whole destroys the rest (RFC 9110, 14.5). */
function requireWhole({ method, headers }: Request): void {
  if (method === 'PUT' && headers['content-range'] !== undefined)
    throw new PlatformError('VALIDATION_ERROR', NOT_IN_PARTS);
}

const hasField = (body: unknown, name: string): boolean =>
  ((body as Record<string, unknown> | null | undefined)?.[name] ?? null) !== null;

async function refuseBody(request: Request, response: Response): Promise<boolean> {
  if (await isEmptyBody(request, response)) return true;
  throw new PlatformError('VALIDATION_ERROR', 'body: this operation does not accept a body');
}

function refuseQuery(request: Request): void {
  // Express parses the query on every access.
  if (!request.url.includes('?')) return;
  const names = Object.keys(request.query);
  if (names.length === 0) return;
  const shown = names.slice(0, MAX_NAMED).map(printable).join(', ');
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  const what = names.length === 1 ? 'unknown query parameter' : 'unknown query parameters';
  throw new PlatformError('VALIDATION_ERROR', `${shown}${more}: ${what} (none allowed)`);
}
