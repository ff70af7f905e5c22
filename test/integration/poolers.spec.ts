import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findLink } from '../../src/platform/database/servers/database-link.js';
import { keyOf, recording, transcript, user } from '../factories/workspace.js';
import { PgBouncer } from '../support/pgbouncer.js';
import { query } from '../support/process.js';
import { PGBOUNCER } from '../support/requirements.js';
import { eventually, startService, type TestService } from '../support/service.js';

const said = recording('Ada', { transcript: transcript(3) });

PGBOUNCER.describe('a service behind PgBouncer', () => {
  let direct: TestService;
  const bouncers: PgBouncer[] = [];
  const bouncer = async (...more: string[]): Promise<PgBouncer> => {
    const started = await PgBouncer.start(direct.databaseUrl, more);
    bouncers.push(started);
    return started;
  };

  beforeAll(async () => {
    direct = await startService();
    await direct.import({ users: [user('Ada')], recordings: [said] });
  });
  afterAll(async () => {
    await direct.stop();
    for (const started of bouncers) await started.stop();
  });

  it('in transaction mode, as documented, answers every request, also after a restart of PgBouncer', async () => {
    const pooler = await bouncer('default_pool_size = 3');
    const service = await startService(
      { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: direct.databaseUrl },
      { beside: direct },
    );
    try {
      const ada = service.api.as(keyOf('Ada'));
      const answers = async (): Promise<number[]> => {
        const replies = await Promise.all(
          Array.from({ length: 20 }, (_, nth) => [
            ada.get('/recordings'),
            ada.get(`/recordings/${said.id}`),
            ada.get(`/recordings/${said.id}/transcript`),
            ada.patch(`/recordings/${said.id}`, { title: `Title ${nth}` }),
          ]).flat(),
        );
        return [...new Set(replies.map(({ status }) => status))];
      };
      expect(await answers()).toEqual([200]);
      // As the recipe sets it on each connection.
      expect(await service.dataSource.query('SHOW statement_timeout')).toEqual([
        { statement_timeout: '15s' },
      ]);
      await pooler.restart();
      await eventually(async () => expect(await answers()).toEqual([200]));
      expect(await answers()).toEqual([200]);
    } finally {
      await service.stop();
    }
  });

  it('in session mode needs one URL, and has its own settings and named statements', async () => {
    const pooler = await bouncer('pool_mode = session');
    expect(await findLink(pooler.url)).toMatchObject({ pooling: 'session', keepsStatements: true });
    const service = await startService({ DATABASE_URL: pooler.url }, { beside: direct });
    try {
      expect((await service.api.as(keyOf('Ada')).get('/recordings')).status).toBe(200);
      expect(await service.dataSource.query('SHOW random_page_cost')).toEqual([{ random_page_cost: '1.1' }]);
    } finally {
      await service.stop();
    }
  });

  it('in transaction mode is refused without a URL for sessions, or with another pooler there', async () => {
    const [pooler, another] = [await bouncer(), await bouncer()];
    await expect(startService({ DATABASE_URL: pooler.url }, { beside: direct })).rejects.toThrow(
      'DATABASE_URL leads to a pooler in transaction mode, which keeps no session for locks and notifications: also set DATABASE_DIRECT_URL, to the URL of PostgreSQL itself',
    );
    await expect(
      startService({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: another.url }, { beside: direct }),
    ).rejects.toThrow('DATABASE_DIRECT_URL leads to a pooler in transaction mode');
  });

  it.each([
    [[]],
    [['server_round_robin = 1']],
    // Two clients that take turns would each get the same backend every time.
    [['server_round_robin = 1', 'default_pool_size = 2']],
    [['default_pool_size = 1']],
  ])('distinguishes transaction mode from a direct connection, with %j', async (more) => {
    const pooler = await bouncer(...more);
    // More than one connection is open.
    await Promise.all([1, 2, 3, 4].map(() => query(pooler.url, 'SELECT pg_sleep(0.05)')));
    expect(await findLink(pooler.url)).toMatchObject({ pooling: 'transaction', keepsStatements: false });
    expect(await findLink(direct.databaseUrl)).toEqual({
      pooling: 'none',
      keepsStatements: true,
      statementTimeout: 0,
    });
  });
});
