import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertRows, recordingRow } from '../factories/worlds.js';
import { emailOf, folder, id, keyOf, member, organization, recording, user } from '../factories/workspace.js';
import { startService, type TestService } from '../support/service.js';

interface Item {
  readonly id: string;
  readonly createdAt: string;
}

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const idsOf = (items: readonly Item[]): string[] => items.map((item) => item.id);

/** All pages of `limit` recordings in sequence. */
async function pages(name: string, limit: number, query = ''): Promise<Item[]> {
  const found: Item[] = [];
  for (let offset = 0; ; offset += limit) {
    const { body } = await service.api
      .as(keyOf(name))
      .get(`/recordings?limit=${limit}&offset=${offset}${query}`);
    found.push(...body.data);
    const { total, has_more: hasMore, next_cursor: cursor, ...rest } = body.pagination;
    expect(cursor !== null).toBe(hasMore);
    expect(rest).toEqual({ limit, offset });
    expect(hasMore).toBe(offset + body.data.length < total);
    expect(body.data.length).toBe(Math.min(limit, Math.max(0, total - offset)));
    if (!hasMore) return found;
  }
}

describe('the order of the list', () => {
  const times = ['2026-03-01T10:00:00.000Z', '2026-03-01T10:00:00.001Z', '2026-02-28T10:00:00.000Z'];
  // In every kind of place that Ada sees: personal, own, a whole organization, a folder; three of each at each
  // timestamp.
  const places = [
    ['Ada', {}],
    ['Ada', { organization: 'Parts' }],
    ['Bob', { organization: 'Parts', folder: 'Open' }],
    ['Ada', { organization: 'Parts', folder: 'Open' }],
    ['Bob', { organization: 'Whole' }],
    ['Ada', { organization: 'Whole', folder: 'Any' }],
    ['Bob', { organization: 'Parts', folder: 'Named' }],
  ] as const;
  const recordings = times
    .flatMap((createdAt) => [1, 2, 3].map(() => createdAt))
    .flatMap((createdAt) => places.map(([owner, place]) => recording(owner, { ...place, createdAt })))
    .sort(() => Math.random() - 0.5);
  const expected = recordings
    .map((item) => ({ id: item.id, createdAt: String(item['createdAt']) }))
    .sort((a, b) =>
      a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? 1 : -1,
    );

  beforeAll(async () => {
    const bob = member('Bob', 'OWNER');
    await service.import({
      users: [user('Ada'), user('Bob')],
      organizations: [
        organization('Parts', {
          members: [member('Ada', 'EDITOR'), bob],
          folders: [folder('Open'), folder('Named', { restrictedTo: [emailOf('Ada')] })],
        }),
        organization('Whole', { members: [member('Ada', 'ADMIN'), bob], folders: [folder('Any')] }),
      ],
      recordings,
    });
  });

  it('is newest createdAt first, then id, across everything visible', async () => {
    const { body } = await service.api.as(keyOf('Ada')).get('/recordings?limit=100');
    expect(body.data.map(({ id: key, createdAt }: Item) => ({ id: key, createdAt }))).toEqual(expected);
    expect(body.pagination).toEqual({ total: 63, limit: 100, offset: 0, has_more: false, next_cursor: null });
  });

  it.each([1, 20])('is stable under paging, %s at a time', async (limit) => {
    expect(idsOf(await pages('Ada', limit))).toEqual(idsOf(expected));
  });

  it.each(['&search=WEEKLY', '&updated_since=2026-01-01', '&status=COMPLETED,ERROR'])(
    'is the same with a filter that is read in another way: %s',
    async (query) => {
      expect(idsOf(await pages('Ada', 4, query))).toEqual(idsOf(expected));
    },
  );
});

describe('page and total while others write', () => {
  const PAIRS = 20;
  const READS = 10;
  const home = organization('Busy', { members: [member('Cleo', 'OWNER')] });
  const cleo = user('Cleo');

  beforeAll(async () => {
    await service.import({ users: [cleo], organizations: [home] });
    await insertRows(service.dataSource, 'recordings', Array.from({ length: PAIRS }, pair).flat());
  });

  /** One in the organization and a personal one, which are found by two different parts of the statement. */
  function pair(): object[] {
    const title = `Pair ${id()}`;
    const shared = { owner_id: cleo.id, title };
    return [recordingRow({ ...shared, organization_id: home.id }), recordingRow(shared)];
  }

  /** Replaces, adds and removes pairs, each in one transaction, so that the number is even at all times. */
  async function write(isOver: () => boolean): Promise<number> {
    let writes = 0;
    while (!isOver()) {
      const grow = writes % 3 !== 1;
      const shrink = writes % 3 !== 0;
      await service.dataSource.transaction(async (manager) => {
        if (grow) await insertRows(manager, 'recordings', pair());
        if (!shrink) return;
        await manager.query(
          `DELETE FROM recordings WHERE title = (
             SELECT title FROM recordings WHERE title LIKE 'Pair %' ORDER BY random() LIMIT 1)`,
        );
      });
      writes += 1;
    }
    return writes;
  }

  it.each(['', '&search=pair', '&status=COMPLETED,ERROR'])(
    'come from the same snapshot (%s)',
    async (query) => {
      let over = false;
      const writers = Promise.all([write(() => over), write(() => over)]);
      const api = service.api.as(keyOf('Cleo'));
      const totals = new Set<number>();
      try {
        await Promise.all(
          [100, 100, 7].map(async (limit) => {
            for (let read = 0; read < READS; read += 1) {
              const { body } = await api.get(`/recordings?limit=${limit}${query}`);
              const { total, has_more: hasMore } = body.pagination;
              totals.add(total);
              expect(total % 2).toBe(0);
              expect(body.data.length).toBe(Math.min(limit, total));
              expect(hasMore).toBe(body.data.length < total);
              expect(new Set(idsOf(body.data)).size).toBe(body.data.length);
            }
          }),
        );
      } finally {
        over = true;
        await writers;
      }
      // The data did change in the meantime.
      expect(totals.size).toBeGreaterThan(1);
    },
  );
});
