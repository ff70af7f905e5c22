import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { sql, type Database } from '../../src/platform/database/sql.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

describe('a statement', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let client: Client;

  beforeAll(async () => {
    database = await createDatabase({ migrated: false });
    dataSource = await new DataSource(
      dataSourceOptions({ url: database.url, poolSize: 1, entities: [] }),
    ).initialize();
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('CREATE TABLE notes (id integer, text text)');
  });
  afterAll(async () => {
    await dataSource.destroy();
    await client.end();
    await database.drop();
  });

  describe.each<[string, () => Database]>([
    ['a manager', () => dataSource.manager],
    ['a connection of pg', () => client],
  ])('of %s', (_, on) => {
    it('returns its rows, whether it selects, inserts, updates or deletes them', async () => {
      const inserted = await sql(on())<{ id: number }>`
        INSERT INTO notes VALUES (${1}, ${'a'}), (${2}, ${"'b"}) RETURNING id`;
      expect(inserted).toEqual([{ id: 1 }, { id: 2 }]);
      expect(await sql(on())`SELECT id, text FROM notes ORDER BY id`).toEqual([
        { id: 1, text: 'a' },
        { id: 2, text: "'b" },
      ]);
      expect(
        await sql(on())`UPDATE notes SET text = 'c' WHERE id = ANY (${[1, 3]}::int[]) RETURNING id`,
      ).toEqual([{ id: 1 }]);
      expect(await sql(on())`DELETE FROM notes RETURNING text`).toEqual([{ text: "'b" }, { text: 'c' }]);
    });

    it('counts the rows that it changes', async () => {
      await sql(on())`INSERT INTO notes SELECT n FROM generate_series(1, 3) n`;
      expect(await sql(on()).count`UPDATE notes SET text = 'd' WHERE id < ${3}`).toBe(2);
      expect(
        await sql(on())
          .count`WITH gone AS (SELECT 2 AS id) DELETE FROM notes USING gone WHERE notes.id = gone.id`,
      ).toBe(1);
      expect(await sql(on()).count`DELETE FROM notes`).toBe(2);
      expect(await sql(on()).count`DELETE FROM notes`).toBe(0);
    });

    it('returns the row that it always finds', async () => {
      expect(await sql(on()).row`SELECT count(*)::int AS count FROM notes`).toEqual({ count: 0 });
      expect(await sql(on()).value<number>`SELECT count(*)::int FROM notes`).toBe(0);
      await expect(sql(on()).value`SELECT id FROM notes`).rejects.toThrow('always finds a row');
      await expect(sql(on()).row`SELECT FROM notes`).rejects.toThrow('always finds a row');
    });
  });
});
