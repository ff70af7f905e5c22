import { Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { EXTERNAL_ID_PREFIX } from '../platform/ids.js';
import { EXAMPLE_IDS } from './example-ids.js';

const EXTERNALLY_NAMED = ['recording', 'organization', 'folder', 'user', 'service account'] as const;

/** What can have external ids. */
export type ExternallyNamed = (typeof EXTERNALLY_NAMED)[number];

/** Of a method: which of its path parameters can be external ids, and of what; the first of the path comes first. */
export const ID_PARAMS = Symbol('ID_PARAMS');

type IdName = 'id' | `${string}Id`;

type MethodParameterDecorator = (target: object, method: string | symbol, index: number) => void;

/**
 * Injects and documents `:id`, or another parameter by its name. An id that is not a UUID gets the same response as an
 * unknown one.
 */
export const IdParam = (of: string, name: IdName = 'id'): MethodParameterDecorator =>
  injected(of, name, (EXAMPLE_IDS as Readonly<Record<string, string>>)[of]);

/**
 * The same for operations that replace or delete the resource: Swagger UI leaves the id empty
 * (docs/decisions/0007-http-contract.md).
 */
export const TargetIdParam = (of: string, name: IdName = 'id'): MethodParameterDecorator =>
  injected(of, name);

/** Only documents the `:id` of such an operation, for one that does not take it as a parameter. */
export const ApiTargetIdParam = (of: string): MethodDecorator => documented(of, 'id');

const injected =
  (of: string, name: IdName, example?: string): MethodParameterDecorator =>
  (target, method, index) => {
    Param(name)(target, method, index);
    documented(of, name, example)(target, method, Object.getOwnPropertyDescriptor(target, method)!);
  };

const documented =
  (of: string, name: IdName, example?: string): MethodDecorator =>
  (target, method, descriptor) => {
    const noun = EXTERNALLY_NAMED.find((one) => one === of);
    const orExternal = noun ? `, or \`${EXTERNAL_ID_PREFIX}\` and its external id` : '';
    const description = `Identifier of the ${of}${orExternal}`;
    ApiParam({ name, type: String, description, example })(target, method, descriptor);
    const handler = descriptor.value as object;
    // Decorators are applied from the last parameter to the first.
    const later = Reflect.getMetadata(ID_PARAMS, handler) as object | undefined;
    if (noun) Reflect.defineMetadata(ID_PARAMS, { [name]: noun, ...later }, handler);
  };
