import { expect } from '@jest/globals';
import { ERROR_CATALOG, type ErrorCode } from '../../src/contract/error-catalog.js';

/** Requirements on every API document of the service, however it was generated. */
export interface ApiDocument {
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Property & { properties?: Record<string, Property>; enum?: string[] }>;
  };
}
interface Operation {
  operationId?: string;
  summary?: string;
  tags: string[];
  parameters?: { name: string; in?: string; description?: string }[];
  responses: Record<string, { content?: Record<string, Content> }>;
}
interface Content {
  schema?: { properties?: Record<string, { type?: string }> };
  examples?: Record<string, { value: unknown }>;
}
interface Property {
  $ref?: string;
  description?: string;
  example?: unknown;
  type?: string;
  allOf?: unknown;
  anyOf?: unknown;
  items?: { $ref?: string };
}

/** By method and path: `GET /api/v1/me`. */
export function operationsOf({ paths }: ApiDocument): [name: string, operation: Operation][] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
}

/** Each has a summary, one tag, described parameters and an example of each error. */
export function expectDocumented({ summary, parameters = [], responses, tags }: Operation): void {
  expect(summary).toEqual(expect.stringMatching(/\w/));
  expect(tags).toHaveLength(1);
  for (const { name, description } of parameters)
    expect({ name, description }).toHaveProperty('description', expect.stringMatching(/\w{2}/));
  for (const [status, { content }] of Object.entries(responses).filter(([code]) => Number(code) >= 400)) {
    const examples = Object.entries(content?.['application/json']?.examples ?? {});
    expect(examples.length).toBeGreaterThan(0);
    for (const [code, { value }] of examples) {
      expect(ERROR_CATALOG[code as ErrorCode].status).toBe(Number(status));
      expect(value).toEqual({ error: { code, message: expect.any(String) } });
    }
  }
}

const referredTo = ({ schemas }: ApiDocument['components'], field: Property): Property =>
  schemas[field.$ref?.split('/').at(-1) ?? ''] ?? field;

/** Fields without a description, and those without an example that are not objects themselves. */
export function undescribedFields({ components }: ApiDocument): string[] {
  const fields = Object.entries(components.schemas).flatMap(([schema, { properties = {} }]) =>
    Object.entries(properties).map(
      ([property, field]) => [`${schema}.${property}`, referredTo(components, field)] as const,
    ),
  );
  const silent = fields.filter(([, { description }]) => !description);
  const bare = fields.filter(
    ([, field]) => field.example === undefined && !field.allOf && !field.anyOf && !field.items?.$ref,
  );
  return [
    ...silent.map(([name]) => `${name} has no description`),
    ...bare.map(([name]) => `${name} has no example`),
  ];
}

/** Tags of operations that the document does not describe. */
export function undescribedTags(document: ApiDocument): string[] {
  const described = new Set(document.tags.map(({ name }) => name));
  return operationsOf(document).flatMap(([operation, { tags }]) =>
    tags
      .filter((tag) => !described.has(tag))
      .map(
        (tag) =>
          `${operation} has the tag "${tag}", which TAGS of src/contract/api-document.ts does not: take one of them with ApiTags of src/contract/api-tags.decorator.ts, or add it there`,
      ),
  );
}

/** Parameters of the path that are documented by another name than they have in it, and those that are not documented. */
export function misnamedParameters(document: ApiDocument): string[] {
  return operationsOf(document).flatMap(([operation, { parameters = [] }]) => {
    const inPath = [...operation.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
    const documented = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    return [
      ...documented
        .filter((name) => !inPath.includes(name))
        .map(
          (name) =>
            `${operation} documents the parameter "${name}", which is not in its path: @ApiIdParam(of, name) and @Param(name) take the name that the route has`,
        ),
      ...inPath
        .filter((name) => name !== undefined && !documented.includes(name))
        .map(
          (name) => `${operation} does not document {${name}}: add @ApiIdParam(of, '${name}') to its method`,
        ),
    ];
  });
}
