import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { Endpoint } from '../../src/contract/endpoint.decorator.js';
import type { ErrorCode } from '../../src/contract/error-catalog.js';
import { problemsIn } from '../../scripts/openapi-rules.js';
import { untypedInputs } from '../../src/entrypoints/cli/openapi.js';

/** What is imported from a file that has not run yet. */
const LATE = undefined as never;
const CIRCLE =
  'if it is imported, its file imports this one, directly or through others, and has not run yet: move it to a file that imports neither';

class Undecorated {
  color?: string;
}

@Controller('notes')
class NotesController {
  @Get()
  list(@Query() query: Undecorated): Undecorated {
    return query;
  }

  @Post()
  create(@Body() body: object): object {
    return body;
  }
}

const FIELDS = 'give each field a decorator of src/platform/openapi/field.decorator.ts in a reply';

describe('npm run openapi says where a mistake is, and what to do', () => {
  const endpoint = (options: Partial<Parameters<typeof Endpoint>[0]>) => () =>
    Endpoint({ summary: 'Notes', scope: 'profile:read', reply: Undecorated, ...options } as never)(
      NotesController.prototype,
      'list',
      {},
    );

  it('when a reply is undefined', () => {
    expect(endpoint({ reply: LATE })).toThrow(
      `NotesController.list: \`reply\` of its @Endpoint is undefined; ${CIRCLE}`,
    );
  });

  it('when an operation declares no scope', () => {
    const missing =
      'NotesController.list: `scope` of its @Endpoint is missing: take what an API key needs for it from SCOPES of src/contract/scopes.ts';
    expect(endpoint({ scope: undefined })).toThrow(missing);
    expect(endpoint({ scope: undefined, public: 'or key' })).toThrow(missing);
  });

  it('when an error code is unknown', () => {
    expect(endpoint({ errors: ['NOTE_NOT_FOUND' as ErrorCode] })).toThrow(
      'NotesController.list: NOTE_NOT_FOUND in `errors` of its @Endpoint is not in ERROR_CATALOG of src/contract/error-catalog.ts: take a code that is there, or add it',
    );
  });

  it('when the document is wrong', async () => {
    const operation = { tags: ['Notes'], summary: 'Notes', operationId: 'list', responses: {} };
    const unknown = { summary: 'Pages', operationId: 'read', tags: ['Pages'], responses: {} };
    const kept = { type: 'string', description: 'Text', example: 'a' };
    const problems = await problemsIn({
      openapi: '3.1.0',
      info: { title: 'Notes', version: '1' },
      tags: [{ name: 'Notes' }],
      paths: {
        '/notes': { get: operation, delete: { tags: ['Notes'], operationId: 'remove', responses: {} } },
        '/pages': { get: operation },
        '/pages/{id}': { get: unknown },
      },
      components: {
        schemas: {
          Note: { type: 'object' },
          Page: { type: 'object', properties: { text: { type: 'string' }, kept } },
        },
      },
    });
    expect(problems.map((problem) => problem.split(' To do: '))).toEqual(
      [
        ['#/paths//notes/delete/summary: ', /^give its method @Endpoint /],
        ['#/paths//pages/get/list: ', /^rename one of the methods, /],
        ['#/paths//pages/{id}/get/tags/0: ', /^take a tag of src\/contract\/api-document\.ts /],
        ['#/paths//pages/{id}/get/parameters: ', /^take it with @IdParam/],
        ['#/components/schemas/Note: There are no documented fields.', FIELDS],
        ['#/components/schemas/Page/properties/text: The field has no description.', FIELDS],
        ['#/components/schemas/Page/properties/text: The field has no example.', FIELDS],
      ].map(([place, advice]) => [expect.stringContaining(place as string), expect.stringMatching(advice!)]),
    );
  });

  it('when the class of an input is unknown, or has no documented fields', () => {
    expect(untypedInputs(NotesController)).toEqual([
      `NotesController.list: the class of @Query(), Undecorated, has no documented fields: give each field a decorator of src/platform/http/fields`,
      'NotesController.create: the class of @Body() is unknown when the service runs: import it without `type`, and use no interface',
    ]);
  });
});
