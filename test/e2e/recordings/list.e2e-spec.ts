import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id, keyOf, recording, transcript, user } from '../../factories/workspace.js';
import type { Client } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const START = Date.parse('2026-03-01T10:00:00Z');

describe('GET /recordings', () => {
  let service: TestService;
  let ada: Client;
  // Newest first; the last two were created in the same millisecond.
  const ids = Array.from({ length: 25 }, id).sort();
  const createdAt = ids.map((_, index) => new Date(START - Math.min(index, 23) * DAY_MS).toISOString());

  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [user('Ada'), user('Grace'), user('Linus'), user('Nobody')],
      recordings: [
        ...ids
          .map((own, index) =>
            recording('Ada', { id: own, title: `Sync ${index}`, createdAt: createdAt[index] }),
          )
          .toReversed(),
        recording('Linus', {
          title: 'Plain',
          status: 'RECORDING',
          progress: 0.25,
          createdAt: '2026-01-31T09:30:00Z',
        }),
        recording('Linus', {
          title: 'Transcribed',
          createdAt: '2026-01-31T09:30:00.5+02:00',
          transcript: transcript(1),
        }),
      ],
    });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const list = async (query = '', api = ada): Promise<{ ids: string[]; pagination: unknown }> => {
    const { status, body } = await api.get(`/recordings${query}`);
    expect(status).toBe(200);
    return { ids: body.data.map((item: { id: string }) => item.id), pagination: body.pagination };
  };

  it('answers the 20 newest by default, and says that there are more', async () => {
    expect(await list()).toEqual({
      ids: ids.slice(0, 20),
      pagination: { total: 25, limit: 20, offset: 0, has_more: true },
    });
  });

  it('tells exactly the fields of an item, timestamps in UTC with milliseconds', async () => {
    const { body } = await service.api.as(keyOf('Linus')).get('/recordings');
    expect(body).toEqual({
      data: [
        {
          id: expect.any(String),
          status: 'RECORDING',
          title: 'Plain',
          createdAt: '2026-01-31T09:30:00.000Z',
          thumbnailUrl: null,
          progress: 0.25,
          capabilities: {
            canDownload: false,
            canShare: true,
            canViewTranscription: true,
            canGenerateSummary: false,
            canAskQuestions: false,
          },
        },
        {
          id: expect.any(String),
          status: 'COMPLETED',
          title: 'Transcribed',
          createdAt: '2026-01-31T07:30:00.500Z',
          thumbnailUrl: null,
          progress: 1,
          capabilities: {
            canDownload: true,
            canShare: true,
            canViewTranscription: true,
            canGenerateSummary: true,
            canAskQuestions: true,
          },
        },
      ],
      pagination: { total: 2, limit: 20, offset: 0, has_more: false },
    });
  });

  it('orders recordings of the same moment by id', async () => {
    const { ids: tail } = await list('?offset=22&limit=3');
    expect(createdAt[23]).toBe(createdAt[24]);
    expect(tail).toEqual(ids.slice(22));
  });

  it.each([1, 2, 7, 24, 25, 100])('shows every recording once when read in pages of %d', async (limit) => {
    const seen: string[] = [];
    for (let offset = 0; offset < 25; offset += limit) {
      const page = await list(`?limit=${limit}&offset=${offset}`);
      seen.push(...page.ids);
      expect(page.pagination).toEqual({ total: 25, limit, offset, has_more: offset + limit < 25 });
    }
    expect(seen).toEqual(ids);
  });

  it.each([25, 26, 1_000_000, 2_147_483_648, 9_007_199_254_740_991])(
    'answers an empty page past the end, at offset %d',
    async (offset) => {
      expect(await list(`?offset=${offset}`)).toEqual({
        ids: [],
        pagination: { total: 25, limit: 20, offset, has_more: false },
      });
    },
  );

  it('shows an empty page to who has no recordings', async () => {
    expect(await list('', service.api.as(keyOf('Nobody')))).toEqual({
      ids: [],
      pagination: { total: 0, limit: 20, offset: 0, has_more: false },
    });
  });

  it.each(['', '?search=sync', '?status=COMPLETED'])(
    'counts and orders the same with and without filters: %s',
    async (query) => {
      const page = await list(`${query}${query === '' ? '?' : '&'}limit=100`);
      expect(page).toEqual({ ids, pagination: { total: 25, limit: 100, offset: 0, has_more: false } });
    },
  );

  it('shows nothing of what others record', async () => {
    await service.import({ recordings: [recording('Grace', { title: 'Sync of Grace' })] });
    expect((await list('?search=grace')).ids).toEqual([]);
    expect((await list('?limit=5')).ids).toEqual(ids.slice(0, 5));
  });
});
