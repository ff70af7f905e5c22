import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { refusal } from '../../support/client.js';
import { saying, searchAs, type FoundPage } from '../../support/found.js';
import { startService, type TestService } from '../../support/service.js';

let service: TestService;
const wombats = Array.from({ length: 25 }, (_, number) =>
  recording('Ada', {
    title: `Meeting ${number}`,
    // Five at each of five times, in three scores.
    createdAt: new Date(Date.UTC(2026, 2, 1 + (number % 5))).toISOString(),
    notes: number % 3 === 0 ? 'wombats' : '',
    transcript: saying('en', [
      'Grace',
      number % 2 === 0 ? 'Wombats.' : 'Wombats and wombats, and many other animals.',
    ]),
  }),
);
beforeAll(async () => {
  service = await startService();
  await service.import({ users: [user('Ada')], recordings: wombats });
});
afterAll(() => service.stop());

const page = (more: Readonly<Record<string, string>>): Promise<FoundPage> =>
  searchAs(service, 'Ada', 'wombat', { limit: '7', ...more });

describe('search by cursor', () => {
  it('continues where the page before ended, and returns every result once, in order', async () => {
    const whole = await page({ limit: '100' });
    expect([whole.data.length, whole.pagination.has_more, whole.pagination.next_cursor]).toEqual([
      25,
      false,
      null,
    ]);
    const paged: string[] = [];
    let cursor: string | null = null;
    for (const size of [7, 7, 7, 4]) {
      const found = await page(cursor === null ? {} : { cursor });
      expect([found.data.length, found.pagination.total]).toEqual([size, 25]);
      paged.push(...found.data.map(({ id }) => id));
      cursor = found.pagination.next_cursor;
      expect(found.pagination.has_more).toBe(cursor !== null);
    }
    expect(paged).toEqual(whole.data.map(({ id }) => id));
  });

  it('also continues from a page by offset, but not with one', async () => {
    const first = await page({ offset: '3' });
    const next = await page({ cursor: first.pagination.next_cursor ?? '' });
    const whole = await page({ limit: '100' });
    expect(next.data.map(({ id }) => id)).toEqual(whole.data.slice(10, 17).map(({ id }) => id));
    const both = await service.api
      .as(keyOf('Ada'))
      .get(`/recordings/search?q=wombat&offset=1&cursor=${first.pagination.next_cursor}`);
    expect([both.status, both.body]).toEqual([
      400,
      refusal('VALIDATION_ERROR', 'cursor: must not be combined with offset'),
    ]);
  });
});
