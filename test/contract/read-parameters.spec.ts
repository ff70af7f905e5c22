import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { operationsOf, type ApiDocument } from '../support/api-document.js';
import { openapi } from '../support/contract.js';
import { expectNone } from '../support/proofs.js';
import { unread } from '../support/read-parameters.js';

const FOLDER = 'src/modules';
const sources = new Map(
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(FOLDER, name).replaceAll('\\', '/'))
    .map((path) => [path, readFileSync(path, 'utf8')]),
);

const withQuery = operationsOf(openapi as unknown as ApiDocument).flatMap(
  ([operation, { operationId = '', parameters = [] }]) => {
    const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    return query.length > 0 ? [{ operation, operationId, query }] : [];
  },
);

describe('Query parameters', () => {
  it.each(withQuery)('of $operation are all read', ({ operation, operationId, query }) => {
    const { modules, names } = unread(operationId, query, sources) ?? { modules: [], names: query };
    expectNone(
      names.map(
        (name) =>
          `${name} of ${operation} is declared in a DTO, and nothing in ${modules.join(' or ')} reads it: apply it in the service, or remove the field`,
      ),
    );
  });

  const files = (service: string, dto = ''): ReadonlyMap<string, string> =>
    new Map([
      [
        'src/modules/notes/notes.controller.ts',
        `import { ListDto } from './dto/list.dto.js';\nexport class C {\n  async listNotes(query: ListDto) {}\n}\n`,
      ],
      ['src/modules/notes/dto/list.dto.ts', `${dto}\nexport class ListDto { color?: string; }\n`],
      ['src/modules/notes/notes.service.ts', service],
      ['src/modules/paints/dto/paint.dto.ts', 'export class PaintDto { color?: string; }'],
      ['src/modules/paints/paints.service.ts', 'const f = ({ color: paint }: PaintDto) => paint;'],
    ]);

  it.each([
    ['by a member', 'const f = (query: ListDto) => query.color;', true],
    ['by destructuring', 'const { since, color } = query;', true],
    ['by destructuring under another name', 'const f = ({ color: tint }: ListDto) => tint;', true],
    ['by a table of functions', 'const CONDITIONS = {\n  color: (tint: string) => tint,\n};', true],
    ['by no comment', '// query.color', false],
    ['by no other member', 'const f = (query: ListDto) => query.colors;', false],
    ['by no literal', `const f = () => ({ color: 'red' });`, false],
  ])('are read %s', (_, service, isRead) => {
    expect(unread('listNotes', ['color'], files(service))?.names).toEqual(isRead ? [] : ['color']);
  });

  it('are read by the module of a DTO that theirs takes fields from', () => {
    const dto = `import { PaintDto } from '../../paints/dto/paint.dto.js';`;
    expect(unread('listNotes', ['color'], files('', dto))).toEqual({
      modules: ['src/modules/notes/', 'src/modules/paints/'],
      names: [],
    });
  });
});
