import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { ApiDocument } from '../support/api-document.js';
import { openapi } from '../support/contract.js';
import { expectNone } from '../support/proofs.js';
import { uncalled } from '../support/route-calls.js';

/** Where requests are sent to the service in a full test run. */
const FOLDERS = ['e2e', 'integration', 'process', 'security', 'support'];

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join('test', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join('test', folder, name), 'utf8')),
);
const document = openapi as unknown as ApiDocument;

describe('Operations of openapi.json', () => {
  // A full test run also says which of them succeed.
  it('are each called by a test', () => {
    expectNone(
      uncalled(document, sources).map(
        (operation) =>
          `no test calls ${operation}: add one in test/e2e/<module>/<operation>.e2e-spec.ts, which writes the method and the path, or its end, in one call: user.get(\`/notes/\${id}\`)`,
      ),
    );
  });

  const operation = { tags: [], responses: {} };
  const notes: ApiDocument = {
    tags: [],
    paths: {
      '/api/v1/notes/{id}': { get: operation, delete: operation },
      '/api/v1/notes': { get: operation },
    },
    components: { schemas: {} },
  };
  const [GET, DELETE, LIST] = ['GET /api/v1/notes/{id}', 'DELETE /api/v1/notes/{id}', 'GET /api/v1/notes'];

  it.each([
    ['a call of another operation of the resource', "user.get('/notes')", [GET, DELETE]],
    ['a longer path', 'user.get(`/notes/${id}/pages`)', [GET, DELETE, LIST]],
    ['the path of another resource that ends alike', "user.get('/meetings/notes')", [GET, DELETE, LIST]],
    ['a path in a text', 'it(\'answers GET "/notes"\')', [GET, DELETE, LIST]],
    ['a whole path', 'user.delete(`/notes/${note.id}`)', [GET, LIST]],
    ['a method by name', "user.request('GET', '/notes?limit=1')", [GET, DELETE]],
    ['the end of a path', 'user.get(at(`/notes/${id({ of })}`))', [DELETE, LIST]],
    ['the end of a path after an expression', 'user.get(`${home}/notes`)', [GET, DELETE]],
  ])('are uncalled or not by %s', (_, source, missing) => {
    expect(uncalled(notes, [source])).toEqual(missing);
  });
});
