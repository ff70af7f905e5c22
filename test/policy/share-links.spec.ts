import { describe, expect, it } from '@jest/globals';
import { isExpired, mayControl } from '../../src/policy/share-links.js';

describe('a share link', () => {
  const now = new Date('2026-01-31T09:30:00.000Z');

  it.each([
    ['without an expiry', null, false],
    ['a millisecond before it', '2026-01-31T09:30:00.001Z', false],
    ['at the very moment', '2026-01-31T09:30:00.000Z', true],
    ['a millisecond after it', '2026-01-31T09:29:59.999Z', true],
  ])('has expired, %s: %s is %s', (_, expiresAt, expired) => {
    expect(isExpired({ expiresAt: expiresAt === null ? null : new Date(expiresAt) }, now)).toBe(expired);
  });

  it.each([
    ['its creator who only sees the recording', 'ada', false, true],
    ['its creator who may change the recording', 'ada', true, true],
    ["another's, by who may change the recording", 'grace', true, true],
    ["another's, by who only sees the recording", 'grace', false, false],
    ['one whose creator is gone, by who may change the recording', null, true, true],
    ['one whose creator is gone, by who only sees the recording', null, false, false],
  ])('is controlled: %s', (_, createdBy, mayChange, controlled) => {
    expect(mayControl('ada', { createdBy }, { mayChange })).toBe(controlled);
  });
});
