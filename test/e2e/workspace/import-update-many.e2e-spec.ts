import type { Pool, PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emailOf, id, member, organization, user } from '../../factories/workspace.js';
import { startService, type TestService } from '../../support/service.js';

const RECORDINGS = 10_000;

const users = Array.from({ length: 500 }, (_, index) => user(`Member${index}`, { apiKeys: [] }));
const acme = organization('Acme', {
  members: users.map(({ name }, index) => member(name, index === 0 ? 'OWNER' : 'EDITOR')),
});
const recordings = Array.from({ length: RECORDINGS }, (_, index) => ({
  id: id(),
  owner: emailOf(users[index % users.length]!.name),
  organization: 'Acme',
  title: `Meeting ${index}`,
  status: 'COMPLETED',
}));

const INSERT = `
  INSERT INTO recordings (id, owner_id, organization_id, title, status, progress, created_at, updated_at)
  SELECT given.id, u.id, $2, given.title, 'COMPLETED', 1, now(), now()
  FROM json_to_recordset($1) AS given (id uuid, owner text, title text) JOIN users u ON u.email = given.owner`;

describe('A workspace file with 10,000 existing recordings and 500 members', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
    await service.import({ users, organizations: [acme] });
    await service.dataSource.query(INSERT, [JSON.stringify(recordings), acme.id]);
  });
  afterAll(() => service.stop());

  it('is compared within seconds, in fewer statements than a hundredth of its entries', async () => {
    const changed = recordings.map((one, index) =>
      index < 10 ? { ...one, title: `Renamed ${index}` } : one,
    );
    const workspace = { users, organizations: [acme], recordings: changed };
    const [first, statements, seconds] = await counted(service, () =>
      service.import(workspace, {}, { update: true }),
    );
    expect(first.recordings).toEqual({
      created: 0,
      existing: RECORDINGS,
      updated: 10,
      unchanged: RECORDINGS - 10,
      different: 0,
    });
    // Ten of them change a recording and its place in the search index.
    expect(statements).toBeGreaterThan(10);
    expect(statements).toBeLessThan(RECORDINGS / 60);
    expect(seconds).toBeLessThan(20);
    const [again, fewer] = await counted(service, () => service.import(workspace, {}, { update: true }));
    expect(again).toMatchObject({ users: { unchanged: 500 }, members: { unchanged: 500 }, differences: [] });
    expect(fewer).toBeLessThan(RECORDINGS / 100);
  });
});

/** With the number of statements sent meanwhile, and how long it took. */
async function counted<T>({ dataSource }: TestService, work: () => Promise<T>): Promise<[T, number, number]> {
  const pool = (dataSource.driver as unknown as { readonly master: Pool }).master;
  let statements = 0;
  const restore: (() => void)[] = [];
  const count = (client: PoolClient): void => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const own = Object.getOwnPropertyDescriptor(client, 'query');
    Object.assign(client, {
      query: (...args: unknown[]): unknown => {
        statements += 1;
        return query(...args);
      },
    });
    restore.push(() => {
      if (own) Object.defineProperty(client, 'query', own);
      else Reflect.deleteProperty(client, 'query');
    });
  };
  pool.on('acquire', count);
  const started = performance.now();
  try {
    return [await work(), statements, (performance.now() - started) / 1_000];
  } finally {
    pool.off('acquire', count);
    for (const undo of restore.toReversed()) undo();
  }
}
