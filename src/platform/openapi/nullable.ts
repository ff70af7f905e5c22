import { nodesIn } from './document-parts.js';

interface Schema {
  nullable?: boolean;
  type?: unknown;
  enum?: unknown[];
  $ref?: unknown;
  [combination: string]: unknown;
}

const COMBINATIONS = ['allOf', 'anyOf', 'oneOf'] as const;
const NULL = { type: 'null' };

/** OpenAPI 3.1 has no `nullable`, which decorators and zod write: replaces it by the type `null`, in place. */
export function replaceNullable(document: object): void {
  for (const schema of nodesIn(document) as Iterable<Schema>) {
    const { nullable } = schema;
    if (typeof nullable !== 'boolean') continue;
    delete schema.nullable;
    if (nullable) acceptNull(schema);
  }
}

function acceptNull(schema: Schema): void {
  if (typeof schema.type === 'string') {
    schema.type = [schema.type, 'null'];
    if (schema.enum) schema.enum = [...schema.enum, null];
    return;
  }
  const combination = COMBINATIONS.find((name) => Array.isArray(schema[name]));
  if (combination === undefined && schema.$ref === undefined)
    throw new Error(`A nullable schema has neither a type nor a reference: ${JSON.stringify(schema)}`);
  if (combination === 'anyOf' || combination === 'oneOf') {
    schema[combination] = [...(schema[combination] as unknown[]), NULL];
    return;
  }
  const { $ref, allOf } = schema;
  delete schema.$ref;
  delete schema['allOf'];
  const [one, ...others] = (allOf ?? [{ $ref }]) as unknown[];
  schema['anyOf'] = [others.length > 0 ? { allOf } : one, NULL];
}
