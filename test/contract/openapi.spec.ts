import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from '../../src/entrypoints/cli/openapi.js';
import { ERROR_CATALOG, ERROR_CODES, type ErrorCode } from '../../src/contract/error-catalog.js';

const document = JSON.parse(JSON.stringify(await openApiDocument())) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    ...operation,
  })),
);

interface Document {
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties?: Record<string, Property>; enum?: string[] }> };
}
interface Operation {
  summary?: string;
  tags: string[];
  parameters?: { name: string; description?: string }[];
  responses: Record<string, { content?: Record<string, { examples?: Record<string, { value: unknown }> }> }>;
}
interface Property {
  description?: string;
  example?: unknown;
  type?: string;
  allOf?: unknown;
  items?: { $ref?: string };
}

describe('openapi.json', () => {
  it('is what the controllers say (else: npm run openapi)', async () => {
    const { openapi } = await import('../support/contract.js');
    expect(openapi).toEqual(document);
  });

  it('has every endpoint of the contract', () => {
    expect(operations.map(({ name }) => name).filter((name) => name.includes('/api/v1/'))).toEqual(
      expect.arrayContaining([
        'GET /api/v1/me',
        'POST /api/v1/api-keys',
        'GET /api/v1/api-keys',
        'DELETE /api/v1/api-keys/{id}',
        'GET /api/v1/recordings',
        'GET /api/v1/recordings/{id}',
        'PATCH /api/v1/recordings/{id}',
        'DELETE /api/v1/recordings/{id}',
        'GET /api/v1/recordings/{id}/transcript',
        'POST /api/v1/recordings/{id}/share-link',
        'GET /api/v1/organizations',
        'GET /api/v1/organizations/{id}/folders',
        'GET /api/v1/organizations/{id}/members',
      ]),
    );
  });

  it('begins with the tags of the contract in their order, and describes every tag', () => {
    const described = document.tags.map(({ name }) => name);
    expect(described.slice(0, 5)).toEqual([
      'API keys',
      'Recordings',
      'Transcripts',
      'Sharing',
      'Organizations',
    ]);
    const used = operations.flatMap(({ tags }) => tags);
    expect([...new Set(used)].filter((tag) => !described.includes(tag))).toEqual([]);
  });

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s has a summary, described parameters and an example of each error',
    (_, { summary, parameters = [], responses, tags }) => {
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
    },
  );

  it('describes every field, with an example where the field is not itself an object', () => {
    const silent = Object.entries(document.components.schemas).flatMap(([schema, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, { description }]) => !description)
        .map(([property]) => `${schema}.${property} has no description`),
    );
    const bare = Object.entries(document.components.schemas).flatMap(([schema, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, field]) => field.example === undefined && !field.allOf && !field.items?.$ref)
        .map(([property]) => `${schema}.${property} has no example`),
    );
    expect([...silent, ...bare]).toEqual([]);
  });

  it('knows every error code of the catalog', () => {
    expect(document.components.schemas['ErrorCode']?.enum).toEqual(ERROR_CODES);
  });
});
