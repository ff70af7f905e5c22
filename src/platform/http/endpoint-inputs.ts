import { SetMetadata } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

export const ENDPOINT_INPUTS = Symbol('ENDPOINT_INPUTS');
export const IS_PUBLIC = Symbol('IS_PUBLIC');

/** Which inputs beside the path an operation takes; `RequestGuard` refuses the others. */
export interface EndpointInputs {
  readonly query: boolean;
  readonly body: boolean;
  /** The operation reads the bytes of the body itself. */
  readonly stream?: boolean;
  /** It works without an API key, so that its body is a short one. */
  readonly public?: boolean;
}

/** Lets a route through without an API key: the only exit from the guard. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(IS_PUBLIC, true);

/** For addresses that people open: their query is not an API client's. */
export const TakesAnyQuery = (): MethodDecorator =>
  SetMetadata(ENDPOINT_INPUTS, { query: true, body: false });

/** For operations that read their body themselves, such as a file: it is left unread, however long it is. */
export const TakesStream = ({ query = false } = {}): MethodDecorator =>
  SetMetadata(ENDPOINT_INPUTS, { query, body: false, stream: true });

/** What the parameters of a controller's method say. */
export function inputsOf(controller: object, method: string | symbol): EndpointInputs {
  const routeArguments: object = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {};
  const kinds = new Set(Object.keys(routeArguments).map((argument) => Number(argument.split(':')[0])));
  return { query: kinds.has(RouteParamtypes.QUERY), body: kinds.has(RouteParamtypes.BODY) };
}
