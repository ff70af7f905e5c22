import type { OpenAPIObject } from '@nestjs/swagger';

/** All operations of a document. `Operation`: what the caller reads or changes of each. */
export const operationsOf = <Operation>({ paths }: OpenAPIObject): Operation[] =>
  Object.values(paths).flatMap((path) => Object.values(path) as Operation[]);

/** Every object and list in a document: what is inside of one before itself, and as it is when it is its turn. */
export function* nodesIn(node: unknown): Generator<object> {
  if (typeof node !== 'object' || node === null) return;
  for (const inner of Object.values(node)) yield* nodesIn(inner);
  yield node;
}
