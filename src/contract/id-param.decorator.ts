import { Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { EXAMPLE_IDS } from './example-ids.js';

type IdName = 'id' | `${string}Id`;

type MethodParameterDecorator = (target: object, method: string | symbol, index: number) => void;

/**
 * Injects and documents `:id`, or another parameter by its name. An id that is not a UUID gets the same response as an
 * unknown one.
 */
export const IdParam = (of: string, name: IdName = 'id'): MethodParameterDecorator =>
  injected(name, documented(of, name, (EXAMPLE_IDS as Readonly<Record<string, string>>)[of]));

/**
 * The same for operations that replace or delete the resource: Swagger UI leaves the id empty
 * (docs/decisions/0007-http-contract.md).
 */
export const TargetIdParam = (of: string, name: IdName = 'id'): MethodParameterDecorator =>
  injected(name, documented(of, name));

/** Only documents the `:id` of such an operation, for one that does not take it as a parameter. */
export const ApiTargetIdParam = (of: string): MethodDecorator => documented(of, 'id');

const documented = (of: string, name: IdName, example?: string): MethodDecorator =>
  ApiParam({ name, type: String, description: `Identifier of the ${of}`, example });

const injected =
  (name: IdName, document: MethodDecorator): MethodParameterDecorator =>
  (target, method, index) => {
    Param(name)(target, method, index);
    document(target, method, Object.getOwnPropertyDescriptor(target, method)!);
  };
