import { openapi } from './contract.js';

/** Requests as the API document describes them. */

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, { readonly example?: unknown }>>;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
}
interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
export interface DocumentedOperation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses?: Readonly<Record<string, unknown>>;
}

export interface ExampleOperation {
  /** Such as `GET /recordings/{id}`. */
  readonly name: string;
  readonly method: string;
  /** Below `/api/v1`. */
  readonly path: string;
  readonly operation: DocumentedOperation;
  /** Statuses of success. */
  readonly done: readonly number[];
}
export interface Sent {
  readonly body: unknown;
  readonly type: string;
}

/** The operations whose path begins like this. */
export function operationsOn(prefix: string): ExampleOperation[] {
  return Object.entries(openapi.paths).flatMap(([full, methods]) => {
    const path = full.replace('/api/v1', '');
    if (path !== prefix && !path.startsWith(`${prefix}/`)) return [];
    return Object.entries(methods as unknown as Record<string, DocumentedOperation>).map(
      ([lower, operation]) => {
        const method = lower.toUpperCase();
        const statuses = Object.keys(operation.responses ?? {}).map(Number);
        const done = statuses.filter((status) => status < 300);
        return { name: `${method} ${path}`, method, path, operation, done };
      },
    );
  });
}

export const resolvedSchema = (schema: Schema): Schema =>
  schema.$ref
    ? (openapi.components.schemas[schema.$ref.split('/').at(-1) ?? ''] as unknown as Schema)
    : schema;

/** The first example of a body, or one of the required fields of JSON; undefined if there is neither. */
export function exampleBody({ requestBody }: Pick<DocumentedOperation, 'requestBody'>): Sent | undefined {
  const contents = Object.entries(requestBody?.content ?? {});
  for (const [type, { example, examples = {} }] of contents) {
    const body = example ?? Object.values(examples)[0]?.value;
    if (body !== undefined) return { body, type };
  }
  const json = requestBody?.content['application/json'];
  if (!json) return undefined;
  const { properties = {}, required = [] } = resolvedSchema(json.schema);
  const body = Object.fromEntries(required.map((name) => [name, properties[name]?.example ?? 'text']));
  return { body, type: 'application/json' };
}
