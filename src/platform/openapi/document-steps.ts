import type { OpenAPIObject } from '@nestjs/swagger';
import { IDEMPOTENCY_LIMITS } from '../http-limits.js';

/** All operations of a document. `Operation`: what the caller reads or changes of each. */
export const operationsOf = <Operation>({ paths }: OpenAPIObject): Operation[] =>
  Object.values(paths).flatMap((path) => Object.values(path) as Operation[]);

/** Every object and list in a document: what is inside of one before itself, and as it is when it is its turn. */
export function* nodesIn(node: unknown): Generator<object> {
  if (typeof node !== 'object' || node === null) return;
  for (const inner of Object.values(node)) yield* nodesIn(inner);
  yield node;
}

/** What an operation has in addition if its method is POST or PATCH; not in the finished document. */
export const WHEN_CHANGING = 'x-when-changing';

export const IDEMPOTENCY_KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `A value of your choice, such as a UUID, to send the request again safely: within ${IDEMPOTENCY_LIMITS.keptHours} hours, the same request with the same key and API key gets the same reply and is not carried out again.`,
  schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_LIMITS.keyLength },
} as const;

interface ChangingOperation {
  [WHEN_CHANGING]?: Pick<ChangingOperation, 'parameters' | 'responses'>;
  parameters?: object[];
  responses?: Record<string, object>;
}

/** Adds the header and its errors to every POST and PATCH that takes it. */
export function documentIdempotencyKeys({ paths }: OpenAPIObject): void {
  for (const [method, documented] of Object.values(paths).flatMap((path) => Object.entries(path))) {
    const operation = documented as ChangingOperation;
    const { parameters = [], responses } = operation[WHEN_CHANGING] ?? {};
    delete operation[WHEN_CHANGING];
    if (method !== 'post' && method !== 'patch') continue;
    operation.parameters = [...(operation.parameters ?? []), ...parameters];
    operation.responses = { ...operation.responses, ...responses };
  }
}

/** The samples that nothing can generate; those in other languages are made from the examples: web/docs/samples.js. */
export function addCommands(document: OpenAPIObject, commands: Readonly<Record<string, string>>): void {
  for (const operation of operationsOf<{ operationId: string; 'x-codeSamples'?: object[] }>(document)) {
    const command = commands[operation.operationId];
    if (command === undefined) continue;
    operation['x-codeSamples'] = [{ lang: 'Shell', label: 'mrs', source: `npx mrs ${command}` }];
  }
}

/**
 * Swagger UI fills in the example of every query parameter, including optional filters; with all of them set, a list
 * would be empty. Their examples move into the description, unless a default or an enum makes them redundant.
 */
export function moveOptionalExamples(document: OpenAPIObject): void {
  for (const parameter of operationsOf<{
    parameters?: {
      in: string;
      required?: boolean;
      description: string;
      schema: { example?: string | number | boolean; default?: unknown; enum?: unknown };
    }[];
  }>(document).flatMap(({ parameters = [] }) => parameters)) {
    if (parameter.in !== 'query' || parameter.required || parameter.schema.example === undefined) continue;
    const { example, default: preset, enum: values } = parameter.schema;
    if (preset === undefined && !values) parameter.description += `. Example: \`${example}\``;
    delete parameter.schema.example;
  }
}

/** Generated types would require a property with a default, which clients may leave out: the description has it. */
export function describeDefaults(schema: {
  properties?: Record<string, { description?: string; default?: unknown }>;
}): void {
  for (const property of Object.values(schema.properties ?? {})) {
    if (property.default === undefined) continue;
    const text = typeof property.default === 'string' ? property.default : JSON.stringify(property.default);
    property.description = [property.description, `Default: \`${text}\``].filter(Boolean).join('. ');
    delete property.default;
  }
}

/** Without a format, generated clients in many languages use 32 bits for an integer. */
export function markLargeInteger(schema: { type?: unknown; maximum?: unknown; format?: string }): void {
  if (schema.type === 'integer' && Number(schema.maximum) > 2 ** 31 - 1) schema.format = 'int64';
}

interface Schema {
  nullable?: boolean;
  type?: unknown;
  enum?: unknown[];
  $ref?: unknown;
  [combination: string]: unknown;
}

const COMBINATIONS = ['allOf', 'anyOf', 'oneOf'] as const;
const NULL = { type: 'null' };

/** OpenAPI 3.1 has no `nullable`, which decorators and zod write: replaces it by the type `null`. */
export function replaceNullable(node: object): void {
  const schema = node as Schema;
  const { nullable } = schema;
  if (typeof nullable !== 'boolean') return;
  delete schema.nullable;
  if (nullable) acceptNull(schema);
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

/** Moves error replies, their examples and header parameters to `components`, where each is written once. */
export function shareComponents(document: OpenAPIObject): void {
  const shared = { responses: {}, examples: {}, parameters: {} };
  const share = (kind: keyof typeof shared, name: string, value: object) => {
    Object.assign(shared[kind], { [name]: value });
    return { $ref: `#/components/${kind}/${name}` };
  };
  for (const { parameters = [], responses } of operationsOf<{
    parameters?: { readonly in: string; readonly name: string }[];
    responses: Record<string, object>;
  }>(document)) {
    for (const [at, parameter] of parameters.entries())
      if (parameter.in === 'header')
        Object.assign(parameters, { [at]: share('parameters', parameter.name, parameter) });
    for (const [status, reply] of Object.entries(responses)) {
      if (Number(status) < 400) continue;
      const json = (
        reply as { readonly content: { readonly 'application/json': { examples: Record<string, object> } } }
      ).content['application/json'];
      const codes = Object.keys(json.examples);
      for (const code of codes) json.examples[code] = share('examples', code, json.examples[code] ?? {});
      responses[status] = share('responses', codes.join('.'), reply);
    }
  }
  document.components = { ...document.components, ...shared };
}
