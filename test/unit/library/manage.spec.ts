import { describe, expect, it } from '@jest/globals';
import { changesText, formatGlossary, parseGlossary } from '../../../web/app/manage/notation.js';
import { rolesToGive } from '../../../web/app/manage/rights.js';

describe('the notation of a glossary', () => {
  it.each([
    [
      [{ term: 'LambdaClass', heard_as: ['lambda glass', 'lander class'] }],
      'LambdaClass = lambda glass; lander class',
    ],
    [[{ term: 'Jörg', heard_as: [] }], 'Jörg'],
    [[{ term: 'a = b; c\\d', heard_as: ['x;y', '='] }], 'a \\= b\\; c\\\\d = x\\;y; \\='],
  ])('writes %j as a line, and reads it back', (terms, text) => {
    expect(formatGlossary(terms)).toBe(text);
    expect(parseGlossary(text)).toEqual(terms);
  });

  it('reads what people type', () => {
    expect(parseGlossary('\n  Ada=ada ;; ayda \n\n')).toEqual([{ term: 'Ada', heard_as: ['ada', 'ayda'] }]);
  });
});

it.each([
  [null, ''],
  [
    { before: { role: 'EDITOR', sharing: true }, after: { role: 'ADMIN', sharing: true } },
    'role: EDITOR → ADMIN',
  ],
  [{ after: { role: 'VIEWER', downloads: true } }, 'role: VIEWER'],
  [{ fields: ['name', 'glossary'] }, 'fields: name, glossary'],
  [{ before: { types: ['*'] }, disabled_webhooks: [] }, ''],
  [{ reason: 'gone', of: { id: 1 }, provider: null }, 'reason: gone, of: {"id":1}'],
])('tells the changes %j', (changes, text) => {
  expect(changesText(changes)).toBe(text);
});

it.each([
  ['OWNER', 'EDITOR', false, ['OWNER', 'ADMIN', 'EDITOR', 'VIEWER']],
  ['ADMIN', 'EDITOR', false, ['EDITOR', 'VIEWER']],
  ['ADMIN', 'OWNER', false, []],
  ['EDITOR', 'VIEWER', false, []],
  ['ADMIN', 'ADMIN', true, ['ADMIN', 'EDITOR', 'VIEWER']],
] as const)('lets %s give %s (themselves: %s) the roles %j', (by, from, isSelf, roles) => {
  expect(rolesToGive(by, from, isSelf)).toEqual(roles);
});
