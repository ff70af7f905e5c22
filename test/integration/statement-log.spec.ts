import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { statementLog } from '../../src/platform/database/statement-log.js';
import { AppLogger } from '../../src/platform/logging/app-logger.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { transactionBy } from '../../src/platform/database/transaction-by.js';

const SECRET = 'nobody-may-read-this';
const INSERT = `INSERT INTO users (id, email, email_verified, name, plan) VALUES ($1, $2, true, 'Ada', 'FREE')`;

describe('the log of statements', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let lines: Record<string, unknown>[] = [];

  const logger = (level: string): AppLogger =>
    new AppLogger(level, {
      write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    });
  const line = (fields: object): object => ({
    level: 10,
    time: expect.any(String),
    ms: expect.any(Number),
    ...fields,
  });

  beforeAll(async () => {
    database = await createDatabase();
    dataSource = await new DataSource(
      dataSourceOptions({
        url: database.url,
        poolSize: 2,
        entities: [],
        onConnect: statementLog(logger('trace')),
      }),
    ).initialize();
  });
  beforeEach(() => {
    lines = [];
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('has text, duration and row count of statements by TypeORM, and no values', async () => {
    const sql = 'SELECT $1 AS said FROM generate_series(1, $2)';
    const rows: object[] = await dataSource.query(sql, [SECRET, 3]);
    expect(rows).toEqual([{ said: SECRET }, { said: SECRET }, { said: SECRET }]);
    expect(lines).toEqual([line({ sql, rows: 3, msg: 'statement' })]);
  });

  it('has that a transaction says who causes it, but not who', async () => {
    const source = { kind: 'user', userId: randomUUID(), requestId: SECRET, address: '192.0.2.1' } as const;
    await transactionBy(dataSource, source, (manager) => manager.query('SELECT 1'));
    expect(lines.map(({ sql }) => sql)).toEqual([
      'START TRANSACTION',
      "SELECT set_config('meeting_recordings.change_source', $1, true)",
      'SELECT 1',
      'COMMIT',
    ]);
  });

  it.each([
    ["a value quoted in PostgreSQL's message", 'SELECT $1::uuid', [SECRET], '22P02'],
    ['a value quoted in its detail', INSERT, [randomUUID(), `${SECRET}@acme.test`], '23505'],
    ['a syntax error', 'SELECT $1::text FROM FROM', [SECRET], '42601'],
  ])('has only text and code of a failed statement with %s', async (_, sql, values, code) => {
    const twice = dataSource.transaction(async (manager) => {
      await manager.query(sql, values);
      await manager.query(sql, [randomUUID(), ...values.slice(1)]);
    });
    await expect(twice).rejects.toMatchObject({ code });
    const failed = lines.find(({ msg }) => msg === 'statement failed');
    expect(failed).toEqual(line({ sql, code, msg: 'statement failed' }));
    expect(lines.at(-1)).toMatchObject({ sql: 'ROLLBACK' });
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });
});
