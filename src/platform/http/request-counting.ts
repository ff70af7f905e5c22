import type { Request, Response } from 'express';
import type { EndpointInputs } from './endpoint-inputs.js';
import type { RequestLimits } from './request-limits.js';

/** A request to an operation; without a caller, it was made without an API key. */
export type CountedRequest = Request & { caller?: { readonly id: string } };

/**
 * Counts a request without a caller by address, and a costly one in addition. Other requests have been counted with their
 * API key, and health checks have no limit.
 */
export function countRequest(
  limits: RequestLimits,
  inputs: EndpointInputs | undefined,
  request: CountedRequest,
  response: Response,
): void | Promise<void> {
  if (inputs?.unlimited) return;
  const counting = request.caller ? undefined : limits.countAddress('anonymous', request, response);
  if (inputs?.costly !== true) return counting;
  const costly = (): void | Promise<void> => countCostly(limits, request, response);
  return counting ? counting.then(costly) : costly();
}

/** Counts a request as costly. */
export function countCostly(
  limits: RequestLimits,
  request: CountedRequest,
  response: Response,
): void | Promise<void> {
  return request.caller
    ? limits.countUser('userCostly', request.caller.id, response)
    : limits.countAddress('anonymousCostly', request, response);
}
