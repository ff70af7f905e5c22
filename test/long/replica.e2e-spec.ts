import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keyOf, recording, transcript, user } from '../factories/workspace.js';
import { PostgresServer } from '../support/postgres-servers.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { METRICS } from '../../src/platform/telemetry/metrics.js';

const said = recording('Ada', { transcript: transcript(3) });

let primary: PostgresServer;
let replica: PostgresServer;
let service: TestService;
/** The path of a share page. */
let shared: string;

const settings = () => ({ DATABASE_URL: primary.url, DATABASE_REPLICA_URL: replica.url });
const ada = () => service.api.as(keyOf('Ada'));
const titleOf = async (): Promise<unknown> => (await ada().get(`/recordings/${said.id}`)).body.data.title;

/** How many reads each server has served since. */
async function reads(work: () => Promise<unknown>): Promise<{ primary: number; replica: number }> {
  const count = async () => {
    const { values } = await METRICS.reads.get();
    const of = (name: string): number => values.find(({ labels }) => labels.server === name)?.value ?? 0;
    return { primary: of('primary'), replica: of('replica') };
  };
  const before = await count();
  await work();
  const after = await count();
  return { primary: after.primary - before.primary, replica: after.replica - before.replica };
}

const readAll = async (): Promise<void> => {
  for (const path of [
    '/recordings',
    '/recordings?status=COMPLETED',
    `/recordings/${said.id}`,
    `/recordings/${said.id}/transcript`,
    '/recordings/search?q=segment',
    shared,
  ])
    expect([path, (await ada().get(path)).status]).toEqual([path, 200]);
};

beforeAll(async () => {
  primary = await PostgresServer.create();
  replica = await primary.addReplica();
  service = await startService(settings());
  await service.import({ users: [user('Ada')], recordings: [said] });
  const { body } = await ada().post(`/recordings/${said.id}/share-link`, {});
  shared = `//s/${body.data.share_token}`;
});
afterAll(async () => {
  await service.stop();
  await replica.remove();
  await primary.remove();
});

it('reads lists, details, transcripts and search from the replica, and nothing from the primary', async () => {
  await eventually(async () => expect((await reads(readAll)).primary).toBe(0));
  const { replica: count } = await reads(readAll);
  expect(count).toBeGreaterThanOrEqual(10);
});

it('shows every earlier write to a read, while the replica keeps up', async () => {
  const served = await reads(async () => {
    for (let nth = 0; nth < 100; nth += 1) {
      const title = `Title ${nth}`;
      expect((await ada().patch(`/recordings/${said.id}`, { title })).status).toBe(200);
      expect(await titleOf()).toBe(title);
      const { body } = await ada().get('/recordings');
      expect(body.data[0].title).toBe(title);
    }
  });
  expect(served.replica).toBeGreaterThan(served.primary);
});

it('reads from the primary while the replica lags, and from the replica once it has caught up', async () => {
  await replica.sql('SELECT pg_wal_replay_pause()');
  expect((await ada().patch(`/recordings/${said.id}`, { title: 'While it lags' })).status).toBe(200);
  const served = await reads(async () => expect(await titleOf()).toBe('While it lags'));
  expect(served).toEqual({ primary: served.primary, replica: 0 });
  const { body } = await service.api.get('//health/ready');
  expect(body.data).toMatchObject({
    status: 'degraded',
    dependencies: expect.arrayContaining([
      {
        name: 'replica',
        status: 'degraded',
        message: 'The replica of the database is behind; all is read from the primary.',
      },
    ]),
  });
  await replica.sql('SELECT pg_wal_replay_resume()');
  await eventually(async () => expect((await reads(titleOf)).replica).toBeGreaterThan(0));
});

it('reads from the primary while the replica is stopped, and from the replica once it is back', async () => {
  await replica.stop('immediate');
  expect((await reads(readAll)).replica).toBe(0);
  await replica.start();
  await eventually(async () => expect((await reads(readAll)).primary).toBe(0));
});

it('starts without the replica, and uses it once it answers', async () => {
  await replica.stop();
  const other = await startService(settings(), { beside: service });
  try {
    const list = () => other.api.as(keyOf('Ada')).get('/recordings');
    expect((await list()).status).toBe(200);
    await replica.start();
    await eventually(async () => expect((await reads(list)).primary).toBe(0));
  } finally {
    await other.stop();
  }
});

it('goes on reading while the primary is stopped, and writes again once it is back', async () => {
  await eventually(async () => expect((await reads(readAll)).primary).toBe(0));
  await primary.stop('immediate');
  await eventually(readAll);
  const refused = await ada().patch(`/recordings/${said.id}`, { title: 'Lost' });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  await primary.start();
  await eventually(async () =>
    expect((await ada().patch(`/recordings/${said.id}`, { title: 'Back' })).status).toBe(200),
  );
  expect(await titleOf()).toBe('Back');
});

it('refuses another database at the start', async () => {
  const other = await PostgresServer.create();
  try {
    await expect(
      startService({ ...settings(), DATABASE_REPLICA_URL: other.url }, { beside: service }),
    ).rejects.toThrow(
      'DATABASE_REPLICA_URL leads to another database than DATABASE_URL, not to a replica of it',
    );
  } finally {
    await other.remove();
  }
});

it('reads only from the primary once the replica was promoted', async () => {
  await eventually(async () => expect((await reads(readAll)).primary).toBe(0));
  await replica.promote();
  await replica.sql("UPDATE recordings SET title = 'Diverged'");
  expect(await titleOf()).toBe('Back');
  expect((await reads(readAll)).replica).toBe(0);
});
