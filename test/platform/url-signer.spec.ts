import { describe, expect, it } from '@jest/globals';
import fc, { runs } from '../support/properties.js';
import { UrlSigner } from '../../src/platform/secrets/url-signer.js';

const NOW = new Date('2026-01-31T09:00:00Z');
const LATER = new Date('2026-01-31T10:00:00Z');
const signer = new UrlSigner(['k'.repeat(32)]);
const address = signer.sign('/media/a/video', { disposition: 'inline' }, LATER);

describe('a signed URL', () => {
  it('is valid until it expires', () => {
    expect(signer.verify(address, NOW)).toBe(true);
    expect(signer.verify(address, new Date(LATER.getTime() - 1))).toBe(true);
    expect(signer.verify(address, LATER)).toBe(false);
  });

  it('is not valid with another key', () => {
    expect(new UrlSigner(['x'.repeat(32)]).verify(address, NOW)).toBe(false);
  });

  it('is valid with the previous key, which signs nothing any more', () => {
    const both = new UrlSigner(['n'.repeat(32), 'k'.repeat(32)]);
    expect(both.verify(address, NOW)).toBe(true);
    expect(both.sign('/x', {}, LATER)).toBe(new UrlSigner(['n'.repeat(32)]).sign('/x', {}, LATER));
  });

  it('is invalid if any character is changed, removed or added', () => {
    fc.assert(
      fc.property(
        fc.nat(address.length - 1),
        fc.constantFrom('a', '0', '&', '=', '%', '/', ''),
        (at, character) => {
          fc.pre(address[at] !== character);
          expect(signer.verify(address.slice(0, at) + character + address.slice(at + 1), NOW)).toBe(false);
          if (character)
            expect(signer.verify(address.slice(0, at) + character + address.slice(at), NOW)).toBe(false);
        },
      ),
      { numRuns: runs(50) },
    );
    expect(signer.verify(`${address}&x=1`, NOW)).toBe(false);
  });
});
