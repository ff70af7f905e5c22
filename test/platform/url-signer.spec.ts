import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { KeyRing } from '../../src/platform/keys/key-ring.js';
import { UrlSigner } from '../../src/platform/signing/url-signer.js';

const NOW = new Date('2026-01-31T09:00:00Z');
const LATER = new Date('2026-01-31T10:00:00Z');
const signer = new UrlSigner(KeyRing.of('k'.repeat(32)));
const address = signer.sign('/media/a/video', { disposition: 'inline' }, LATER);

describe('a signed URL', () => {
  it('is valid until it expires', () => {
    expect(signer.verify(address, NOW)).toBe(true);
    expect(signer.verify(address, new Date(LATER.getTime() - 1))).toBe(true);
    expect(signer.verify(address, LATER)).toBe(false);
  });

  it('is not valid with another key', () => {
    expect(new UrlSigner(KeyRing.of('x'.repeat(32))).verify(address, NOW)).toBe(false);
  });

  it('is valid with a previous key, for what that can have signed before it ended', () => {
    const next = { secret: 'n'.repeat(32), from: 0, until: Infinity };
    const accepts = (until: Date): boolean =>
      new UrlSigner(new KeyRing([next, { secret: 'k'.repeat(32), from: 0, until: until.getTime() }])).verify(
        address,
        NOW,
      );
    expect([accepts(LATER), accepts(new Date(LATER.getTime() - 1))]).toEqual([true, false]);
    const both = new UrlSigner(KeyRing.of('n'.repeat(32), 'k'.repeat(32)));
    expect(both.sign('/x', {}, LATER)).toBe(new UrlSigner(KeyRing.of('n'.repeat(32))).sign('/x', {}, LATER));
  });

  it('is signed with a new key only from the time on at which all processes know it', () => {
    const soon = { secret: 'n'.repeat(32), from: Date.now() + 60_000, until: Infinity };
    const old = { secret: 'k'.repeat(32), from: 0, until: Infinity };
    const rotated = new UrlSigner(new KeyRing([soon, old]));
    expect(rotated.sign('/x', {}, LATER)).toBe(signer.sign('/x', {}, LATER));
    expect(rotated.verify(new UrlSigner(KeyRing.of('n'.repeat(32))).sign('/x', {}, LATER), NOW)).toBe(true);
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
      { numRuns: 500 },
    );
    expect(signer.verify(`${address}&x=1`, NOW)).toBe(false);
  });
});
