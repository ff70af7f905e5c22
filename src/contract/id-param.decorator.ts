import { Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { EXTERNAL_ID_PREFIX } from '../platform/ids.js';
import { EXAMPLE_IDS } from './example-ids.js';

/** Of a method: what its path parameters are ids of, by their names. */
export const ID_PARAMS = Symbol('ID_PARAMS');

type IdName = 'id' | `${string}Id`;

type MethodParameterDecorator = (target: object, method: string | symbol, index: number) => void;

/**
 * Injects and documents `:id`, or another parameter by its name. An id that is not a UUID gets the same response as an
 * unknown one.
 */
export const IdParam = (of: string, name: IdName = 'id'): MethodParameterDecorator =>
  injected(of, name, documented(of, name, (EXAMPLE_IDS as Readonly<Record<string, string>>)[of]));

/**
 * The same for operations that replace or delete the resource: Swagger UI leaves the id empty
 * (docs/decisions/0007-http-contract.md).
 */
export const TargetIdParam = (of: string, name: IdName = 'id'): MethodParameterDecorator =>
  injected(of, name, documented(of, name));

/** Only documents the `:id` of such an operation, for one that does not take it as a parameter. */
export const ApiTargetIdParam =
  (of: string): MethodDecorator =>
  (target, method, descriptor) => {
    documented(of, 'id')(target, method, descriptor);
    noteParam(descriptor.value as object, 'id', of);
  };

/** What the parameters of a method are ids of, by their names in the order of the path. */
function noteParam(method: object, name: IdName, of: string): void {
  const known = (Reflect.getMetadata(ID_PARAMS, method) ?? []) as readonly [string, string][];
  // `:id` is always the first.
  const entries = [...known, [name, of] as const].sort(([one]) => (one === 'id' ? -1 : 1));
  Reflect.defineMetadata(ID_PARAMS, new Map(entries), method);
}

const documented = (of: string, name: IdName, example?: string): MethodDecorator =>
  ApiParam({ name, type: String, description: describe(of), example });

const describe = (of: string): string =>
  `Identifier of the ${of}${EXTERNALLY_NAMED.has(of) ? `, or \`${EXTERNAL_ID_PREFIX}\` and its external id` : ''}`;

/** What has external ids. */
const EXTERNALLY_NAMED: ReadonlySet<string> = new Set([
  'recording',
  'organization',
  'folder',
  'user',
  'service account',
]);

const injected =
  (of: string, name: IdName, document: MethodDecorator): MethodParameterDecorator =>
  (target, method, index) => {
    Param(name)(target, method, index);
    const descriptor = Object.getOwnPropertyDescriptor(target, method)!;
    document(target, method, descriptor);
    noteParam(descriptor.value as object, name, of);
  };
