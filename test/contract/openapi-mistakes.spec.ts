import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { Endpoint } from '../../src/contract/endpoint.decorator.js';
import type { ErrorCode } from '../../src/contract/error-catalog.js';
import { mistakesIn, type DocumentedApi } from '../../src/entrypoints/cli/openapi-mistakes.js';
import { ChoiceField, ChoicesParameter } from '../../src/platform/http/fields/choice-fields.js';
import { EnumProperty } from '../../src/platform/openapi/field.decorator.js';

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

const described = { tags: ['Notes'], summary: 'Notes' };
const api = (paths: DocumentedApi['paths'], schemas: DocumentedApi['components']['schemas'] = {}) => ({
  tags: [{ name: 'Notes' }],
  paths,
  components: { schemas },
});
const FIELDS =
  'give each field a decorator of src/platform/openapi/field.decorator.ts in a reply, of src/platform/http/fields in a request';

describe('npm run openapi says where a mistake is, and what to do', () => {
  it.each([
    ['EnumProperty', () => EnumProperty('Kind', { values: LATE, name: 'Kind', example: 'a' })],
    ['ChoiceField', () => ChoiceField('Kind', { values: LATE, example: 'a' })],
    ['ChoicesParameter', () => ChoicesParameter('Kinds', { values: LATE, name: 'Kind', example: 'a' })],
  ])('when the values of %s are undefined', (_, decorator) => {
    expect(() => decorator()(Undecorated.prototype, 'color')).toThrow(
      `Undecorated.color: its list of \`values\` is undefined; ${CIRCLE}`,
    );
  });

  it('when there are no values', () => {
    const decorator = EnumProperty('Kind', { values: [], name: 'Kind', example: 'a' });
    expect(() => decorator(Undecorated.prototype, 'color')).toThrow(
      'Undecorated.color: its list of `values` is empty: name what the field can be',
    );
  });

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

  it('when there is no @Endpoint', () => {
    const document = api({ '/notes': { delete: { tags: ['Notes'], operationId: 'remove' } } });
    class Removing {
      remove(): void {}
    }
    expect(mistakesIn(document, [Removing])).toEqual([
      'Removing.remove, DELETE /notes: has no @Endpoint (src/contract/endpoint.decorator.ts)',
    ]);
  });

  it('when two methods have the same name', () => {
    const operation = { ...described, operationId: 'list' };
    const document = api({ '/notes': { get: operation }, '/pages': { get: operation } });
    expect(mistakesIn(document, [])).toEqual([
      'GET /notes and GET /pages are both methods of the name list, which generated clients call them by: rename one of them',
    ]);
  });

  it('when a class has no documented fields', () => {
    const reply = { schema: { $ref: '#/components/schemas/Note' } };
    const document = api(
      { '/notes': { get: { ...described, operationId: 'list', responses: reply } as object } },
      { Note: { type: 'object' } },
    );
    expect(mistakesIn(document, [])).toEqual([
      `Note of GET /notes is a class without documented fields: ${FIELDS}`,
    ]);
  });

  it('when the class of an input is unknown, or has no documented fields', () => {
    const document = api({
      '/notes': {
        get: { ...described, operationId: 'list' },
        post: { ...described, operationId: 'create' },
      },
    });
    expect(mistakesIn(document, [NotesController])).toEqual([
      `NotesController.list: the class of @Query(), Undecorated, has no documented fields: ${FIELDS}`,
      'NotesController.create: the class of @Body() is unknown when the service runs: import it without `type`, and use no interface',
    ]);
  });
});
