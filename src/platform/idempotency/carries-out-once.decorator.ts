import { RequestMethod, UseInterceptors } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { ENDPOINT_INPUTS, type EndpointInputs } from '../http/requests/endpoint-inputs.js';
import { Idempotency } from './idempotency.interceptor.js';

/**
 * Carries the POST and PATCH operations of a controller out once for each `Idempotency-Key`, those that take one. A
 * decorator of the class, as those run last: the operations' own do not know the method yet.
 */
export const CarriesOutOnce = (): ClassDecorator => (controller) => {
  const operations = Object.getOwnPropertyDescriptors(controller.prototype as Record<string, object>);
  for (const [name, operation] of Object.entries(operations)) {
    const handler = operation.value as object;
    const inputs = Reflect.getMetadata(ENDPOINT_INPUTS, handler) as EndpointInputs | undefined;
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    const isChange = method === RequestMethod.POST || method === RequestMethod.PATCH;
    if (isChange && inputs?.idempotent) UseInterceptors(Idempotency)(controller, name, operation);
  }
};
