import { describe, expect, it } from '@jest/globals';
import { looseWords, parseSearchQuery } from '../../../src/modules/search/query/search-query.js';

const words = (text: string) => ({ kind: 'words', text, excluded: false });
const phrase = (text: string) => ({ kind: 'phrase', text, excluded: false });
const prefix = (text: string) => ({ kind: 'prefix', text, excluded: false });
const without = (unit: object) => ({ ...unit, excluded: true });

describe('a search query', () => {
  it.each([
    ['budget', [[words('budget')]]],
    ['"next quarter" budget', [[phrase('next quarter'), words('budget')]]],
    ['budg*', [[prefix('budg')]]],
    ['budget -draft', [[words('budget'), without(words('draft'))]]],
    [
      'budget -"first draft" -dra*',
      [[words('budget'), without(phrase('first draft')), without(prefix('dra'))]],
    ],
    ['budget OR plan draft', [[words('budget')], [words('plan'), words('draft')]]],
    ['budget or plan', [[words('budget'), words('or'), words('plan')]]],
    ['follow-u*', [[words('follow'), prefix('u')]]],
    ['été 会議 naïve*', [[words('été'), words('会議'), prefix('naïve')]]],
  ])('parses %s', (text, alternatives) => {
    expect(parseSearchQuery(text)).toEqual(alternatives);
  });

  it.each([
    ['"', []],
    ['"budget', [[phrase('budget')]]],
    ['budget"plan"x', [[words('budget'), phrase('plan'), words('x')]]],
    ['---budget plan', [[without(words('budget')), words('plan')]]],
    ['-budget OR plan', [[words('plan')]]],
    ['OR OR OR', []],
    ["a:*b':*", [[words('a'), prefix('b')]]],
    ['&|!()<->', []],
    ['!budget & (plan | draft)', [[words('!budget'), words('(plan'), words('draft)')]]],
  ])('parses the malformed query %s as far as possible', (text, alternatives) => {
    expect(parseSearchQuery(text)).toEqual(alternatives);
  });

  it('lists the words of its phrases', () => {
    expect(looseWords(parseSearchQuery('"next quarter" budget -"first draft"'))).toEqual(['next', 'quarter']);
  });

  it.each(['-', 'OR ', '-"', ' '])('parses 100,000 times %j without delay', (piece) => {
    const before = process.cpuUsage();
    parseSearchQuery(piece.repeat(100_000));
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(1);
  });
});
