import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  folder,
  id,
  keyOf,
  member,
  organization,
  recording,
  transcript,
  user,
} from '../../factories/workspace.js';
import type { Client } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const START = Date.parse('2026-03-01T10:00:00Z');

describe('GET /recordings', () => {
  let service: TestService;
  let ada: Client;
  const linus = user('Linus');
  // Newest first; the last two were created in the same millisecond.
  const ids = Array.from({ length: 25 }, id).sort();
  const createdAt = ids.map((_, index) => new Date(START - Math.min(index, 23) * DAY_MS).toISOString());

  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [user('Ada'), user('Grace'), linus],
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

  interface Page {
    readonly ids: string[];
    readonly pagination: { readonly total: number; readonly next_cursor: string | null };
  }

  const list = async (query = '', api = ada): Promise<Page> => {
    const { status, body } = await api.get(`/recordings${query}`);
    expect(status).toBe(200);
    return { ids: body.data.map((item: { id: string }) => item.id), pagination: body.pagination };
  };

  it('returns the 20 newest by default, and reports that there are more', async () => {
    expect(await list()).toEqual({
      ids: ids.slice(0, 20),
      pagination: { total: 25, limit: 20, offset: 0, has_more: true, next_cursor: expect.any(String) },
    });
  });

  it('says whose a recording is, where and how long, as the detail does', async () => {
    const place = { organization: 'Acme', folder: 'Board' };
    const acme = organization('Acme', {
      members: [member('Grace', 'OWNER'), member('Bob', 'EDITOR')],
      folders: [folder('Board')],
    });
    const [own, others] = [recording('Grace', { organization: 'Acme' }), recording('Bob', place)];
    await service.import({ users: [user('Bob')], organizations: [acme], recordings: [own, others] });
    await service.dataSource.query('UPDATE recordings SET duration = 61.5 WHERE id = $1', [others.id]);
    const grace = service.api.as(keyOf('Grace'));
    const read = async (query: string) => {
      const { data } = (await grace.get(`/recordings${query}`)).body;
      return data.map(({ owner, duration, organizationId, folderId }: Record<string, unknown>) => [
        owner,
        duration,
        organizationId,
        folderId,
      ]);
    };
    const inFolder = { id: expect.any(String), name: 'Bob' };
    const found = await read(`?organization_id=${acme.id}`);
    expect(found).toEqual(
      expect.arrayContaining([
        [inFolder, 61.5, acme.id, expect.any(String)],
        [{ id: expect.any(String), name: 'Grace' }, null, acme.id, null],
      ]),
    );
    const { data } = (await grace.get(`/recordings/${others.id}`)).body;
    expect(found).toContainEqual([data.owner, data.duration, data.organizationId, data.folderId]);
    expect(await read(`/search?q=weekly&organization_id=${acme.id}`)).toEqual(expect.arrayContaining(found));
    await service.dataSource.query('DELETE FROM users WHERE id = $1', [data.owner.id]);
    expect(await read(`?organization_id=${acme.id}&folder_id=${data.folderId}`)).toEqual([
      [null, 61.5, acme.id, data.folderId],
    ]);
  });

  it('returns exactly the fields of an item, with timestamps in UTC with milliseconds', async () => {
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
          media: 'pending',
          duration: null,
          owner: { id: linus.id, name: 'Linus' },
          organizationId: null,
          folderId: null,
          externalId: null,
          metadata: {},
          retentionEndsAt: null,
          retentionRule: null,
          capabilities: {
            canDownload: false,
            canShare: true,
            canViewTranscription: true,
            canGenerateSummary: false,
            canAskQuestions: false,
          },
          capabilityReasons: {
            canDownload: { reason: 'not_ready', plan: null },
            canGenerateSummary: { reason: 'not_ready', plan: null },
            canAskQuestions: { reason: 'not_ready', plan: null },
          },
        },
        {
          id: expect.any(String),
          status: 'COMPLETED',
          title: 'Transcribed',
          createdAt: '2026-01-31T07:30:00.500Z',
          thumbnailUrl: null,
          progress: 1,
          media: 'none',
          duration: null,
          owner: { id: linus.id, name: 'Linus' },
          organizationId: null,
          folderId: null,
          externalId: null,
          metadata: {},
          retentionEndsAt: null,
          retentionRule: null,
          capabilities: {
            canDownload: true,
            canShare: true,
            canViewTranscription: true,
            canGenerateSummary: true,
            canAskQuestions: true,
          },
          capabilityReasons: {},
        },
      ],
      pagination: { total: 2, limit: 20, offset: 0, has_more: false, next_cursor: null },
    });
  });

  it.each([7, 25])('returns every recording once when read in pages of %d', async (limit) => {
    const seen: string[] = [];
    for (let offset = 0; offset < 25; offset += limit) {
      const page = await list(`?limit=${limit}&offset=${offset}`);
      seen.push(...page.ids);
      expect(page.pagination).toMatchObject({ total: 25, limit, offset, has_more: offset + limit < 25 });
    }
    expect(seen).toEqual(ids);
  });

  it.each([
    ['3', ''],
    ['4', '&search=SYNC'],
  ])('pages by cursor, %s at a time (%s), and returns every recording once', async (limit, filter) => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = await list(`?limit=${limit}${filter}${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.ids);
      const { next_cursor: next, ...rest } = page.pagination;
      expect(rest).toEqual({ total: 25, limit: Number(limit), offset: 0, has_more: next !== null });
      cursor = next;
    }
    expect(seen).toEqual(ids);
  });

  it('pages by cursor from any page, and returns nothing after the last one', async () => {
    const { pagination } = await list('?offset=3&limit=4');
    expect((await list(`?cursor=${pagination.next_cursor}&limit=2`)).ids).toEqual(ids.slice(7, 9));
    const { pagination: late } = await list('?limit=24');
    expect(await list(`?cursor=${late.next_cursor}`)).toEqual({
      ids: ids.slice(24),
      pagination: { total: 25, limit: 20, offset: 0, has_more: false, next_cursor: null },
    });
  });

  it('continues by cursor at the same position, whatever was added or deleted meanwhile', async () => {
    const [first, later] = [recording('Turing', { title: 'First' }), recording('Turing', { title: 'Later' })];
    const older = ['2025-03-03T00:00:00Z', '2025-03-02T00:00:00Z', '2025-03-01T00:00:00Z'].map((time) =>
      recording('Turing', { createdAt: time }),
    );
    await service.import({ users: [user('Turing')], recordings: [first, ...older] });
    const turing = service.api.as(keyOf('Turing'));
    const { pagination } = await list('?limit=2', turing);
    await service.import({ recordings: [later] });
    // The recording that the cursor refers to.
    await turing.delete(`/recordings/${older[0]?.id}`);
    const page = await list(`?limit=2&cursor=${pagination.next_cursor}`, turing);
    expect(page.ids).toEqual([older[1]?.id, older[2]?.id]);
    expect(page.pagination.total).toBe(4);
  });

  it.each(['x', '_________________________________'])(
    'refuses a cursor that it did not issue: %s',
    async (cursor) => {
      const { status, body } = await ada.get(`/recordings?cursor=${cursor}`);
      expect(status).toBe(400);
      expect(body.error.message).toBe('cursor: must be the unmodified next_cursor of a previous page');
    },
  );

  it('refuses a cursor together with an offset', async () => {
    const { pagination } = await list('?limit=5');
    const { status, body } = await ada.get(`/recordings?cursor=${pagination.next_cursor}&offset=5`);
    expect([status, body.error]).toEqual([
      400,
      { code: 'VALIDATION_ERROR', message: 'cursor: must not be combined with offset' },
    ]);
  });

  it.each([
    [25, '&search=sync'],
    [9_007_199_254_740_991, ''],
  ])('returns an empty page past the end, at offset %d', async (offset, filter) => {
    expect(await list(`?offset=${offset}${filter}`)).toEqual({
      ids: [],
      pagination: { total: 25, limit: 20, offset, has_more: false, next_cursor: null },
    });
  });
});
