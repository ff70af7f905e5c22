import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource, type EntityManager } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { sql } from '../../src/platform/database/sql.js';
import { transactionBy } from '../../src/platform/database/transaction-by.js';
import { runPrepared } from '../../src/platform/database/prepared-query.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

const NOBODY = {
  kind: 'service',
  user_id: null,
  api_key_id: null,
  request_id: null,
  address: null,
  client: null,
};

describe('a transaction that says who causes it', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  const statements: string[] = [];
  const ada = { kind: 'user', userId: randomUUID(), apiKeyId: randomUUID() } as const;

  beforeAll(async () => {
    database = await createDatabase();
    dataSource = await new DataSource(
      dataSourceOptions({
        url: database.url,
        poolSize: 1,
        entities: [],
        onConnect: (client) => {
          const send = client.query.bind(client) as (...given: unknown[]) => unknown;
          client.query = ((...given: unknown[]) => {
            statements.push(String(given[0]));
            return send(...given);
          }) as typeof client.query;
        },
      }),
    ).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const source = async (manager: EntityManager): Promise<unknown> =>
    (await manager.query<object[]>('SELECT * FROM change_source()'))[0];

  it('says so in its first statement, and needs no other', async () => {
    statements.length = 0;
    await transactionBy(dataSource, ada, (manager) => manager.query('SELECT 1'));
    expect(statements).toEqual([
      'START TRANSACTION',
      "SELECT set_config('meeting_recordings.change_source', $1, true)",
      'SELECT 1',
      'COMMIT',
    ]);
  });

  it('ends with it, committed or not: the connection forgets who it was', async () => {
    await transactionBy(dataSource, ada, async (manager) => {
      expect(await source(manager)).toMatchObject({
        kind: 'user',
        user_id: ada.userId,
        api_key_id: ada.apiKeyId,
      });
    });
    expect(await source(dataSource.manager)).toEqual(NOBODY);
    await expect(transactionBy(dataSource, ada, (manager) => manager.query('SELECT 1 / 0'))).rejects.toThrow(
      'division by zero',
    );
    expect(await dataSource.transaction((manager) => source(manager))).toEqual(NOBODY);
  });

  it.each([`'; DROP TABLE users; --`, '$1'])(
    'takes any text for the id of a request: %s',
    async (requestId) => {
      await transactionBy(dataSource, { ...ada, requestId }, async (manager) => {
        expect(await source(manager)).toMatchObject({ request_id: requestId });
      });
    },
  );

  it.each(['192.0.2.1, 192.0.2.2', "'"])('leaves out what is no address: %s', async (address) => {
    await transactionBy(dataSource, { ...ada, address }, async (manager) => {
      expect(await source(manager)).toMatchObject({ address: null });
    });
  });

  it('runs prepared statements like any others', async () => {
    const statement = sql`SELECT kind FROM change_source()`;
    await transactionBy(dataSource, ada, async (manager) => {
      for (let n = 0; n < 2; n += 1) {
        expect(await runPrepared(manager, 'source', statement)).toEqual([{ kind: 'user' }]);
      }
    });
    expect(await runPrepared(dataSource.manager, 'source', statement)).toEqual([{ kind: 'service' }]);
  });
});
