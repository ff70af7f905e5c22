import { ApiParam } from '@nestjs/swagger';
import { EXAMPLE_IDS } from './example-ids.js';

const idParam = (of: string, name: string, example?: string): MethodDecorator =>
  ApiParam({ name, type: String, description: `Identifier of the ${of}`, example });

/**
 * Documents `:id`, or another parameter by its name. An id that is not a UUID gets the same response as an unknown one.
 */
export const ApiIdParam = (of: string, name: 'id' | `${string}Id` = 'id'): MethodDecorator =>
  idParam(of, name, (EXAMPLE_IDS as Readonly<Record<string, string>>)[of]);

/**
 * The same for operations that replace or delete the resource: Swagger UI leaves the id empty
 * (docs/decisions/0007-http-contract.md).
 */
export const ApiTargetIdParam = (of: string, name: 'id' | `${string}Id` = 'id'): MethodDecorator =>
  idParam(of, name);
