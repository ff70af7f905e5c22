import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConnectionPlan, planConnections } from '../../src/platform/database/servers/connection-plan.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { query } from '../support/process.js';

/** Of `npm start` with default settings on a machine with two cores. */
const NEEDS = {
  api: { processes: 2, pool: 10, threads: 2 },
  worker: { pool: 10, threads: 2 },
  lanes: 7,
  slots: 14,
};
const allowing = (connections: number, isPooled = false) =>
  new ConnectionPlan(
    NEEDS,
    { connections, by: 'the role mrs', raise: 'ALTER ROLE mrs CONNECTION LIMIT' },
    isPooled,
  );

describe('the connections that a service opens', () => {
  it.each([
    [71, 10, 21, 7],
    // First the jobs, then all.
    [64, 10, 20, 1],
    [53, 10, 9, 1],
    [50, 9, 9, 1],
    [29, 2, 9, 1],
  ])('fit into %d', (connections, pool, jobs, choosers) => {
    const plan = allowing(connections);
    expect([plan.pool, plan.worker()]).toEqual([pool, { pool, jobs, choosers }]);
  });

  it.each([
    [28, 9],
    [13, 2],
  ])('fit into %d without a worker, which is refused and leaves all to the API', (connections, pool) => {
    const plan = allowing(connections);
    expect(plan.pool).toBe(pool);
    expect(() => plan.worker()).toThrow(
      `DATABASE_URL: the role mrs allows ${connections} connections, but the API (10) and a worker need at least 29, and up to 71 as set: ALTER ROLE mrs CONNECTION LIMIT 71, or run fewer API processes (WEB_CONCURRENCY)`,
    );
  });

  it('are refused where not even the API has enough', () => {
    expect(() => allowing(12)).toThrow('the role mrs allows 12 connections, but the API needs at least 13');
  });

  it('of pools do not count where a pooler has them', () => {
    const plan = allowing(41, true);
    expect([plan.pool, plan.worker().jobs]).toEqual([10, 21]);
  });

  describe('are compared with what PostgreSQL allows', () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await createDatabase();
    });
    afterAll(() => database.drop());

    it('the database, and the server', async () => {
      const name = new URL(database.url).pathname.slice(1);
      const allowed = async () => (await planConnections(database.url, false, NEEDS)).allowed;
      await query(database.url, `ALTER DATABASE ${name} CONNECTION LIMIT 40`);
      expect(await allowed()).toEqual({
        connections: 40,
        by: `the database ${name}`,
        raise: `ALTER DATABASE ${name} CONNECTION LIMIT`,
      });
      await query(database.url, `ALTER DATABASE ${name} CONNECTION LIMIT -1`);
      expect(await allowed()).toMatchObject({ by: 'the server', raise: 'set max_connections to more than' });
    });
  });
});
