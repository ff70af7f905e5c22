import { describe, expect, it } from '@jest/globals';
import { Contract, type OpenApi } from '../support/contract.js';

const errors = (...codes: string[]) => ({
  content: {
    'application/json': {
      schema: { type: 'object', properties: { error: { $ref: '#/components/schemas/Error' } } },
      examples: Object.fromEntries(codes.map((code) => [code, {}])),
    },
  },
});
const notes = { type: 'array', items: { $ref: '#/components/schemas/Note' } };
const DOCUMENT: OpenApi = {
  paths: {
    '/api/v1/notes': {
      get: {
        responses: {
          200: {
            content: { 'application/json': { schema: { type: 'object', properties: { data: notes } } } },
          },
          403: errors('FORBIDDEN', 'RECORDING_LOCKED'),
        },
      },
      delete: { responses: { 200: {} } },
    },
  },
  components: {
    schemas: {
      Note: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      Error: { type: 'object', properties: { code: { type: 'string' }, message: { type: 'string' } } },
    },
  },
};
const contract = new Contract(DOCUMENT);

const mistakes = (method: string, path: string, status: number, body: unknown): string[] =>
  contract.mistakes(method, path, { status, type: 'application/json', body });
const refused = (code: string) => ({ error: { code, message: 'No.' } });

describe('Checking replies against the API document', () => {
  it('accepts documented replies', () => {
    expect(mistakes('GET', '/api/v1/notes?limit=1', 200, { data: [{ id: '1' }] })).toEqual([]);
    expect(mistakes('GET', '/api/v1/notes', 403, refused('RECORDING_LOCKED'))).toEqual([]);
    expect(mistakes('HEAD', '/api/v1/notes', 200, '')).toEqual([]);
  });

  it('rejects an error code that the operation does not document', () => {
    const message =
      'the document does not have the code SHARING_DISABLED for this operation: add it to `errors` of its @Endpoint and run `npm run openapi`, or throw one that is there';
    expect(mistakes('GET', '/api/v1/notes', 403, refused('SHARING_DISABLED'))).toEqual([
      `GET /api/v1/notes 403: ${message}`,
    ]);
    expect(mistakes('GET', '/api/v1/notes', 409, refused('SHARING_DISABLED'))).toEqual([
      `GET /api/v1/notes 409: ${message}`,
    ]);
  });

  it('rejects an undocumented field, naming its path in the reply', () => {
    expect(mistakes('GET', '/api/v1/notes', 200, { data: [{ id: '1' }, { id: '2', color: 'red' }] })).toEqual(
      [
        'GET /api/v1/notes 200: data.1 has the property "color", which is not in the document: add it to the reply DTO, with a decorator of src/platform/openapi/field.decorator.ts, and run `npm run openapi`, or leave it out in the presenter',
      ],
    );
    expect(mistakes('GET', '/api/v1/notes', 200, { data: [], took: 3 })).toEqual([
      expect.stringContaining('the body has the property "took"'),
    ]);
  });

  it('rejects a missing field or one of another type', () => {
    expect(mistakes('GET', '/api/v1/notes', 200, { data: [{}, { id: 2 }] })).toEqual([
      "GET /api/v1/notes 200: data.0 must have required property 'id'",
      'GET /api/v1/notes 200: data.1.id must be string',
    ]);
  });

  it('rejects an undocumented operation, whatever the reply', () => {
    const message = (operation: string): string =>
      `${operation} is not in the API document: decorate its method with @Endpoint of src/contract/endpoint.decorator.ts and run \`npm run openapi\``;
    expect(mistakes('POST', '/api/v1/notes', 201, { data: {} })).toEqual([message('POST /api/v1/notes')]);
    expect(mistakes('GET', '/api/v1/notes/7', 400, refused('VALIDATION_ERROR'))).toEqual([
      message('GET /api/v1/notes/7'),
    ]);
  });

  it.each([
    ['an unknown URL', 'GET', '/api/v1/nothing', 404],
    ['a malformed URL', 'GET', '/api/v1/%zz', 400],
    ['media', 'GET', '/media/7/video', 200],
    ['pages', 'POST', '/s/token', 303],
  ])('does not require documentation for %s', (_, method, path, status) => {
    expect(mistakes(method, path, status, status === 404 ? refused('NOT_FOUND') : '')).toEqual([]);
  });
});
