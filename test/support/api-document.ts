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
  example?: unknown;
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

/** The operations by method and path: `GET /api/v1/me`. */
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
