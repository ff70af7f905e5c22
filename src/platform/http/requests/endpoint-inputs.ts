import { SetMetadata } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

export const ENDPOINT_INPUTS = Symbol('ENDPOINT_INPUTS');
export const IS_PUBLIC = Symbol('IS_PUBLIC');

/** The inputs an operation accepts besides the path; `RequestGuard` rejects the others. */
export interface EndpointInputs {
  readonly query: boolean;
  readonly body: boolean;
  /** The operation reads the raw body itself. */
  readonly stream?: boolean;
  /** Works without an API key, so its body must be small. */
  readonly public?: boolean;
  /** Counts as costly (see `BUDGETS`): always, or if the body has this field. */
  readonly costly?: true | string;
  /** Takes, with POST and PATCH, an `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** Never counts towards a rate limit. */
  readonly unlimited?: boolean;
}

/** `or key`: a key that is sent must be valid, and its user is the caller. Undefined: a key is required. */
export type PublicRoute = true | 'or key' | undefined;

/** Exempts a route from the API key guard; nothing else does. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(IS_PUBLIC, true);

/** Marks URLs opened in a browser, which may carry unrelated query parameters. */
export const AcceptsAnyQuery = (): MethodDecorator =>
  SetMetadata(ENDPOINT_INPUTS, { query: true, body: false });

/** Marks operations that read their body themselves, such as a file: the guard leaves it unread, however long it is. */
export const AcceptsStream = ({
  query = false,
  costly,
}: Partial<Pick<EndpointInputs, 'query' | 'costly'>> = {}): MethodDecorator =>
  SetMetadata(ENDPOINT_INPUTS, { query, body: false, stream: true, costly });

/** Marks operations outside the API document that take a JSON body, which they check themselves. */
export const AcceptsJson = ({
  query = false,
  ...more
}: Partial<Pick<EndpointInputs, 'query' | 'public' | 'costly'>> = {}): MethodDecorator =>
  SetMetadata(ENDPOINT_INPUTS, { query, body: true, ...more });

/** Derived from the parameter decorators of a controller method. */
export function inputsOf(controller: object, method: string | symbol): EndpointInputs {
  const routeArguments: object = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {};
  const kinds = new Set(Object.keys(routeArguments).map((argument) => Number(argument.split(':')[0])));
  return { query: kinds.has(RouteParamtypes.QUERY), body: kinds.has(RouteParamtypes.BODY) };
}
