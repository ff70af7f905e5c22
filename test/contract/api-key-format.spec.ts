import { crc32 } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { API_KEY_PATTERN, apiKeyMistake, newApiKey } from '../../src/contract/api-key-format.js';
import { randomBase62 } from '../../src/platform/secrets/secrets.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ISSUED = new RegExp(`^${API_KEY_PATTERN}$`);

/** As docs/security.md tells scanners to compute it. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < 6; place += 1) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

const many = <T>(make: () => T): T[] => Array.from({ length: 500 }, make);

describe('an API key', () => {
  it('matches the pattern, ends with its checksum, and is as long as those of 1.0.0', () => {
    const keys = many(newApiKey);
    for (const key of keys) {
      expect(key).toMatch(ISSUED);
      expect(key).toHaveLength(47);
      expect(key.slice(-6)).toBe(checksumOf(key.slice(0, -6)));
      expect(apiKeyMistake(key)).toBeNull();
    }
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('has the checksum that documentation shows', () => {
    const key = 'mrs_z13kTq9ZbWm2Xc8RfVn5Ly1Hd6Pj4Gs7Kt0Qa';
    expect([checksumOf(key), apiKeyMistake(`${key}3aceq1`)]).toEqual(['3aceq1', null]);
  });

  it('is recognized as mistyped if one character after the mark is another, missing or swapped with the next', () => {
    const key = newApiKey();
    const wrong = Array.from({ length: key.length - 6 }, (_, index) => index + 6).flatMap((at) => {
      const [before, one, next, after] = [
        key.slice(0, at),
        key.charAt(at),
        key.charAt(at + 1),
        key.slice(at + 1),
      ];
      const others = [...BASE62].filter((other) => other !== one).map((other) => before + other + after);
      return [...others, before + after, before + next + one + key.slice(at + 2)];
    });
    const missed = wrong.filter((text) => text !== key && apiKeyMistake(text) === null);
    expect(missed).toEqual([]);
  });

  it.each([
    ['incomplete', newApiKey().slice(0, 40)],
    ['something else', 'sk_0123456789012345678901234567890123456789012'],
    ['too short', 'mrs_0123456789'],
    ['too long', `mrs_${'0'.repeat(61)}`],
    ['followed by a blank', `${newApiKey()} `],
  ])('cannot be %s', (_, text) => {
    expect(apiKeyMistake(text)).not.toBeNull();
  });

  it('of 1.0.0, 256 random bits, never looks like a new one, whatever the bits', () => {
    const highest = (2n ** 256n - 1n).toString();
    expect(BigInt(highest) / 62n ** 42n).toBeLessThan(BigInt(BASE62.indexOf('z')));
    const keys = many(() => `mrs_${randomBase62()}`);
    expect(keys.filter((key) => ISSUED.test(key) || key.startsWith('mrs_z'))).toEqual([]);
    expect(keys.map(apiKeyMistake)).toEqual(keys.map(() => null));
  });
});
