import { describe, expect, it } from '@jest/globals';
import { requireReachOfAll } from '../../src/modules/api-keys/public/key-requirements.js';
import type { KeyScopes, Scope } from '../../src/contract/scopes.js';
import { exceeds, keyRefusal, UNLIMITED, missingScope, type KeyLimits } from '../../src/policy/api-keys.js';
import { EVERYTHING, isRefusedBy, reachesAll, reachesPlace } from '../../src/policy/reach.js';

const SOON = new Date('2026-01-01T00:00:00Z');
const LATER = new Date('2026-01-01T00:00:00.001Z');
const READS: KeyScopes = ['recordings:read', 'transcripts:read'];

/** A key that is limited in every way. */
const NARROW: KeyLimits = {
  scopes: READS,
  organizationIds: ['acme', 'beta'],
  folderIds: ['board', 'sales'],
  addresses: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7'],
  expiresAt: SOON,
};

describe('scopes', () => {
  it('that are missing: the first of those required', () => {
    expect(missingScope(READS, ['recordings:read', 'questions', 'operator'])).toBe('questions');
    expect(missingScope(READS, ['transcripts:read'])).toBeNull();
    expect(missingScope(null, ['operator'])).toBeNull();
    expect(missingScope(['operator'], ['users:manage'])).toBeNull();
    expect(missingScope(['users:manage'], ['operator'])).toBe('operator');
  });
});

describe('a key that is made by another exceeds it', () => {
  const changed = (limits: Partial<KeyLimits>): KeyLimits => ({ ...NARROW, ...limits });

  const scoped = (...scopes: Scope[]): KeyLimits => changed({ scopes });

  it.each<[string, KeyLimits, KeyLimits, readonly (keyof KeyLimits)[]]>([
    ['never if that is not limited', UNLIMITED, UNLIMITED, []],
    ['not with less', NARROW, UNLIMITED, []],
    ['not with the same', NARROW, NARROW, []],
    ['in everything without limits', UNLIMITED, NARROW, Object.keys(NARROW) as (keyof KeyLimits)[]],
    ['not with the same scopes in another order', changed({ scopes: [...READS].toReversed() }), NARROW, []],
    ['not with fewer scopes', changed({ scopes: ['recordings:read'] }), NARROW, []],
    ['with one more scope', changed({ scopes: [...READS, 'questions'] }), NARROW, ['scopes']],
    ['with another scope', changed({ scopes: ['questions'] }), NARROW, ['scopes']],
    ['not with a part of a scope', scoped('users:manage'), scoped('operator'), []],
    ['with all of which a scope is a part', scoped('operator'), scoped('users:manage'), ['scopes']],
    ['not with fewer organizations', changed({ organizationIds: ['beta'] }), NARROW, []],
    ['with another organization', changed({ organizationIds: ['acme', 'x'] }), NARROW, ['organizationIds']],
    ['with another folder', changed({ folderIds: ['x'] }), NARROW, ['folderIds']],
    ['with all folders', changed({ folderIds: null }), NARROW, ['folderIds']],
    ['not with a narrower range', changed({ addresses: ['203.0.113.128/25'] }), NARROW, []],
    ['not with one address of a range', changed({ addresses: ['2001:db8::1', '198.51.100.7'] }), NARROW, []],
    ['with a wider range', changed({ addresses: ['203.0.112.0/23'] }), NARROW, ['addresses']],
    ['with a range that only overlaps', changed({ addresses: ['198.51.100.0/24'] }), NARROW, ['addresses']],
    ['with a range of the other family', changed({ addresses: ['::/0'] }), NARROW, ['addresses']],
    ['for a millisecond longer', changed({ expiresAt: LATER }), NARROW, ['expiresAt']],
    ['for ever', changed({ expiresAt: null }), NARROW, ['expiresAt']],
  ])('%s', (_, made, by, exceeded) => {
    expect(exceeds(made, by)).toEqual(exceeded);
  });
});

describe('what a key reaches', () => {
  const place = (organizationId: string | null, folderId: string | null = null) => ({
    organizationId,
    folder: folderId === null ? null : { id: folderId },
  });
  const toAcme = { organizationIds: ['acme'], folderIds: null, refusedBy: [] };
  const toBoard = { organizationIds: ['acme', 'beta'], folderIds: ['board'], refusedBy: [] };
  const refused = { ...EVERYTHING, refusedBy: ['acme'] };

  it.each([
    ['everything, if it is not limited', EVERYTHING, place(null), true],
    ['its organization', toAcme, place('acme'), true],
    ['any folder of it', toAcme, place('acme', 'board'), true],
    ['its organization, whatever the case of the id', toAcme, place('ACME'), true],
    ['no other', toAcme, place('beta'), false],
    ['nothing personal', toAcme, place(null), false],
    ['its folder', toBoard, place('acme', 'board'), true],
    ['no other folder', toBoard, place('acme', 'sales'), false],
    ['nothing outside of folders', toBoard, place('acme'), false],
    ['no folder in an organization that it does not reach', toBoard, place('x', 'board'), false],
    ['no organization that refuses it', refused, place('acme'), false],
    ['none, whatever the case of the id', refused, place('ACME', 'board'), false],
    ['others, although one refuses it', refused, place('beta'), true],
    ['what is personal, although an organization refuses it', refused, place(null), true],
    ['no organization of its own that refuses it', { ...toAcme, refusedBy: ['acme'] }, place('acme'), false],
  ])('%s', (_, reach, where, expected) => {
    expect(reachesPlace(reach, where)).toBe(expected);
  });
});

describe('an organization that refuses a key', () => {
  const beta = { ...EVERYTHING, organizationIds: ['beta'] };
  it.each([
    ['is why it is out of reach', { ...EVERYTHING, refusedBy: ['acme'] }, true],
    ['is not, if the key is limited to others anyway', { ...beta, refusedBy: ['acme'] }, false],
    ['is not, if another refuses it', { ...EVERYTHING, refusedBy: ['beta'] }, false],
  ])('%s', (_, reach, expected) => {
    expect(isRefusedBy(reach, 'ACME')).toBe(expected);
  });

  it('keeps it from what concerns all organizations of its user', () => {
    expect(reachesAll(EVERYTHING)).toBe(true);
    expect(reachesAll(beta)).toBe(false);
    expect(reachesAll({ ...EVERYTHING, refusedBy: ['acme'] })).toBe(false);
    const asker = { id: 'ada', apiKey: { ...EVERYTHING, refusedBy: ['acme'] } };
    expect(() => requireReachOfAll(asker, 'delete the user')).toThrow('api_key.refused_by');
  });
});

describe('a key', () => {
  const key = { revokedAt: null, expiresAt: null, userId: 'ada', scopes: null };

  it.each([
    ['works', key, null],
    ['works before it expires', { ...key, expiresAt: LATER }, null],
    ['does not at the moment it expires', { ...key, expiresAt: SOON }, 'API_KEY_EXPIRED'],
    [
      'does not once revoked, even if expired',
      { ...key, expiresAt: SOON, revokedAt: SOON },
      'INVALID_API_KEY',
    ],
    ['does not without its user', { ...key, userId: null }, 'USER_NOT_FOUND'],
  ])('%s', (_, facts, refusal) => {
    expect(keyRefusal(facts, SOON)).toBe(refusal);
  });
});
