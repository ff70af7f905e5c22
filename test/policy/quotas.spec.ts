import { describe, expect, it } from '@jest/globals';
import { exceededQuota } from '../../src/policy/plans.js';

const limits = { storedBytes: 1000, recordings: 5, uploadsPerDay: 3 };
const full = { storedBytes: 1000, recordings: 5, uploadsToday: 3 };
const unlimited = { storedBytes: null, recordings: null, uploadsPerDay: null };
const creates = { creates: true, added: 100, ahead: 0 };
const grows = { creates: false, added: 100, ahead: 0 };
const starts = { creates: false, starts: true, added: 100, ahead: 0 };

describe('a quota', () => {
  it.each([
    ['the last of everything', full, creates, null],
    ['one byte too many', { ...full, storedBytes: 1001 }, creates, 'storedBytes'],
    ['one byte too many of those that follow', full, { creates: true, added: 0, ahead: 1 }, 'storedBytes'],
    ['one recording too many', { ...full, recordings: 6 }, creates, 'recordings'],
    ['one upload too many', { ...full, uploadsToday: 4 }, creates, 'uploadsPerDay'],
    [
      'the upload of new media, that is one of too many',
      { ...full, uploadsToday: 4 },
      starts,
      'uploadsPerDay',
    ],
    ['new media, with too many recordings', { ...full, recordings: 9 }, starts, null],
    ['bytes of an upload that is one of too many', { ...full, recordings: 9, uploadsToday: 9 }, grows, null],
    [
      'no more bytes, although there are too many',
      { ...full, storedBytes: 2000 },
      { ...grows, added: 0 },
      null,
    ],
  ])('decides on %s', (_, use, demand, exceeded) => {
    expect(exceededQuota(limits, use, demand)).toBe(exceeded);
  });

  it('of null is unlimited', () => {
    const huge = { storedBytes: 2 ** 50, recordings: 1e9, uploadsToday: 1e9 };
    expect(exceededQuota(unlimited, huge, creates)).toBeNull();
  });
});
