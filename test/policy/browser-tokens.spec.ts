import { describe, expect, it } from '@jest/globals';
import { BROWSER_SCOPES, SCOPE_NAMES } from '../../src/contract/scopes.js';
import { exceeds, type KeyLimits } from '../../src/policy/api-keys.js';
import { narrowed, type BrowserToken } from '../../src/policy/browser-tokens.js';
import fc from '../support/properties.js';

const PLACES = ['a', 'b', 'c'];
const TIMES = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:30:00.500Z', '2026-01-01T01:00:00.000Z'];
const some = <T>(of: readonly T[]) => fc.option(fc.subarray([...of]), { nil: null });

const KEYS: fc.Arbitrary<KeyLimits> = fc.record({
  scopes: some(SCOPE_NAMES),
  organizationIds: some(PLACES),
  folderIds: some(PLACES),
  addresses: fc.constantFrom(null, ['203.0.113.0/24']),
  expiresAt: fc.constantFrom(null, ...TIMES.map((time) => new Date(time))),
});
const TOKENS: fc.Arbitrary<BrowserToken> = fc.record(
  {
    keyId: fc.constant('key'),
    scopes: fc.subarray([...BROWSER_SCOPES]),
    folder: fc.record({ id: fc.constantFrom(...PLACES), organizationId: fc.constantFrom(...PLACES) }),
    origins: fc.constant([]),
    expiresAt: fc.constantFrom(...TIMES),
  },
  { requiredKeys: ['keyId', 'scopes', 'origins', 'expiresAt'] },
);

describe('what a browser token leaves of its key', () => {
  it('is never more than the key has, nor than the token says', () => {
    fc.assert(
      fc.property(KEYS, TOKENS, (key, token) => {
        const { scopes, folder, expiresAt } = token;
        const said: Partial<KeyLimits> = {
          scopes,
          expiresAt: new Date(expiresAt),
          ...(folder && { organizationIds: [folder.organizationId], folderIds: [folder.id] }),
        };
        const left = narrowed(key, token);
        expect(exceeds(left, key)).toEqual([]);
        expect(exceeds(left, { ...left, ...said })).toEqual([]);
      }),
    );
  });
});
