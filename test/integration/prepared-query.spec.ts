import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { preparedQuery, type PreparedStatement } from '../../src/platform/database/prepared-query.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

const BACKEND: PreparedStatement = {
  name: 'backend',
  text: 'SELECT $1::text AS given, pg_backend_pid() AS pid',
};
const SHARED: PreparedStatement = { name: 'shared', text: 'SELECT $1::bytea AS given', shared: true };
const DIVIDE: PreparedStatement = { name: 'divide', text: 'SELECT 1 / $1::int AS result' };
const WAIT: PreparedStatement = {
  name: 'wait',
  text: 'SELECT pg_advisory_lock(46), pg_backend_pid() AS pid',
  alone: true,
};

describe('a prepared statement', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  const sent: string[] = [];
  const ask = <Row = { given: string; pid: number }>(statement: PreparedStatement, ...values: unknown[]) =>
    preparedQuery<Row>(dataSource, statement, values);

  beforeAll(async () => {
    database = await createDatabase();
    const onConnect = (client: { query: unknown }): void => {
      const send = (client.query as (...given: unknown[]) => unknown).bind(client);
      client.query = (...given: unknown[]) => {
        sent.push((given[0] as { name: string }).name);
        return send(...given);
      };
    };
    const options = dataSourceOptions({ url: database.url, poolSize: 4, entities: [], onConnect });
    dataSource = await new DataSource(options).initialize();
  });
  beforeEach(() => void (sent.length = 0));
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('is sent with the others of its turn on one connection, and each gets its own rows', async () => {
    const replies = await Promise.all(['a', 'b', 'c'].map((given) => ask(BACKEND, given)));
    expect(replies.map(([row]) => row?.given)).toEqual(['a', 'b', 'c']);
    expect(new Set(replies.map(([row]) => row?.pid)).size).toBe(1);
  });

  it('is sent with at most seven others', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(BACKEND, String(n))));
    expect(replies.map(([row]) => row?.given)).toEqual(Array.from({ length: 20 }, (_, n) => String(n)));
    const counts = new Map<number, number>();
    for (const [row] of replies) counts.set(row!.pid, (counts.get(row!.pid) ?? 0) + 1);
    expect([...counts.values()]).toEqual([8, 8, 4]);
  });

  it('fails by itself, and what it was sent with succeeds; the next gets another connection', async () => {
    const [before, failed, after] = await Promise.allSettled([
      ask(BACKEND, 'before'),
      ask(DIVIDE, 0),
      ask(BACKEND, 'after'),
    ]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
    const rows = [before, after].map((reply) => reply.status === 'fulfilled' && reply.value[0]);
    expect(rows).toMatchObject([{ given: 'before' }, { given: 'after' }]);
    const [next] = await ask(BACKEND, 'next');
    expect(next?.given).toBe('next');
    expect(rows.map((row) => row && row.pid)).not.toContain(next?.pid);
  });

  it('is run once for all who ask the same at the same time, if it is shared', async () => {
    const values = ['one', 'one', 'other'].map((text) => Buffer.from(text));
    const replies = await Promise.all(values.map((value) => ask<{ given: Buffer }>(SHARED, value)));
    expect(replies.map(([row]) => row?.given.toString())).toEqual(['one', 'one', 'other']);
    expect(sent.filter((name) => name === 'shared')).toHaveLength(2);
    await ask(SHARED, values[0]);
    expect(sent.filter((name) => name === 'shared')).toHaveLength(3);
  });

  it('fails for all who share it', async () => {
    const shared = { ...DIVIDE, name: 'shared-divide', shared: true } as const;
    const replies = await Promise.allSettled([ask(shared, 0), ask(shared, 0)]);
    expect(replies.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('that waits for a lock keeps nobody else waiting', async () => {
    const holder = dataSource.createQueryRunner();
    await holder.query('SELECT pg_advisory_lock(46)');
    const waiting = ask<{ pid: number }>(WAIT);
    const [row] = await ask(BACKEND, 'meanwhile');
    expect(row?.given).toBe('meanwhile');
    await holder.query('SELECT pg_advisory_unlock(46)');
    const [waited] = await waiting;
    expect(waited?.pid).not.toBe(row?.pid);
    await holder.release();
  });

  it('is refused when the database cannot be reached, each with the reason', async () => {
    const other = new DataSource(dataSourceOptions({ url: database.url, poolSize: 1, entities: [] }));
    await other.initialize();
    await other.destroy();
    const replies = await Promise.allSettled(
      ['a', 'b'].map((given) => preparedQuery(other, BACKEND, [given])),
    );
    expect(replies.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
