import { describe, expect, it } from '@jest/globals';
import { requireSmallJson } from '../../../src/platform/http/bodies/body.js';

const check = (text: string) => () => requireSmallJson(Buffer.from(text));
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('the limits of JSON', () => {
  it.each([
    ['32 levels of lists', nested(32)],
    ['32 levels of objects', `${'{"a":'.repeat(32)}1${'}'.repeat(32)}`],
    ['levels beside each other', `[${Array(4_500).fill('[]').join(',')}]`],
    ['10,000 values', `[${Array(9_999).fill('0').join(',')}]`],
    ['brackets and commas in a string', `"${'[{,'.repeat(50_000)}"`],
    ['brackets after an escaped quote', `["\\"${'['.repeat(50)}",1]`],
    ['brackets after a quote as a Unicode escape', `["\\u0022${'['.repeat(50)}",1]`],
    ['characters of several bytes', `["${'é[😀,'.repeat(10_000)}"]`],
  ])('allow %s', (_, text) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(check(text)).not.toThrow();
  });

  it.each([
    ['33 alternating levels', '[{"a":'.repeat(17)],
    ['33 levels after a string that ends in a backslash', `["\\\\",${nested(33)}]`],
    ['33 levels after an escaped quote', `["a\\"b",${nested(33)}]`],
  ])('reject %s', (_, text) => {
    expect(check(text)).toThrow('body: nested more than 32 levels deep');
  });

  it.each([
    ['members of a list', `[${Array(10_000).fill('0').join(',')}]`],
    ['lists in a list', `[${Array(5_001).fill('[]').join(',')}]`],
    ['members of an object', `{${Array(10_000).fill('"a":0').join(',')}}`],
  ])('reject more than 10,000 values as %s', (_, text) => {
    expect(check(text)).toThrow('body: contains more than 10,000 values');
  });
});
