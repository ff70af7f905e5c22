import { describe, expect, it } from '@jest/globals';
import { asLine, isLine, oneLine } from '../../src/lib/text.js';

describe('a line', () => {
  it.each([
    ['Cafe\u0301', 'Caf\u00e9'],
    ['\u1112\u1161\u11ab', '\ud55c'],
    ['e\u034f\u0301', '\u00e9'],
    [' Weekly\tsync\r\nof\u2028teams\u0085', 'Weekly sync of teams'],
    ['\u200b', ''],
    ['\u3164', ''],
    ['\u200d\ufe0f\u200c', ''],
    ['in\u00advoice\u200b\u2060\ufeff', 'invoice'],
    ['\u202egnp.exe\u202c', 'gnp.exe'],
    ['\u2067\u05e9\u05dc\u05d5\u05dd\u2069\u200f', '\u05e9\u05dc\u05d5\u05dd'],
    ['a\u{e0041}\u{e0042}', 'a'],
    ['Acme\ufe0f\ufe0e', 'Acme'],
  ])('%j is %j', (given, line) => {
    expect(asLine(given)).toBe(line);
    expect(asLine(line)).toBe(line);
  });

  it.each([
    [
      'emoji of several',
      '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u2764\ufe0f 1\ufe0f\u20e3 \u{1f469}\u{1f3fd}\u200d\u{1f680}',
    ],
    ['a flag of letters', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['a Persian word', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
    ['a Malayalam word', '\u0d05\u0d35\u0d28\u0d4d\u200d'],
    ['a form of an ideograph', '\u845b\u{e0100}'],
    ['spaces within', 'a  b\u00a0c'],
  ])('keeps %s', (_, text) => {
    expect(asLine(text)).toBe(text);
  });

  it('has no control characters', () => {
    expect(['a\u009bb', 'a\u0007', '\u001b[31m', 'a\0'].filter((text) => isLine(asLine(text)))).toEqual([]);
    expect(oneLine('Ada\u009b \u202eLovelace\n', 10)).toBe('Ada Lovela');
  });

  it('is read in linear time', () => {
    const before = process.cpuUsage();
    for (const unit of [
      '\u200c',
      '\u{e0041}',
      '\u{1f3f4}\u{e0041}',
      '\u0301\u034f',
      '\u2028 ',
      '\u0645\u200d',
    ])
      asLine(unit.repeat(100_000));
    // Takes a tenth of it; quadratic reading would take minutes.
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(2);
  });
});
