import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ENTITIES } from '../../src/app.entities.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { MIGRATIONS } from '../../src/platform/database/migrations.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

const RECORDING = '00000000-0000-7000-8000-000000000001';

/** Links of releases before and after, as rows; their ids differ in the last character. */
describe('migrations of share links', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createDatabase({ migrated: false });
    const options = dataSourceOptions({ url: database.url, poolSize: 1, entities: ENTITIES });
    dataSource = await new DataSource(options).initialize();
    await dataSource.runMigrations();
    await dataSource.query(
      `INSERT INTO recordings (id, title, title_folded, status, progress, created_at, updated_at)
       VALUES ($1, 'Weekly', 'weekly', 'COMPLETED', 1, now(), now())`,
      [RECORDING],
    );
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  /** Takes back all migrations from this one on. */
  async function before(name: string): Promise<void> {
    const at = MIGRATIONS.findIndex((migration) => migration.name === name);
    for (const _ of MIGRATIONS.slice(at)) await dataSource.undoLastMigration();
  }

  async function insert(links: Readonly<Record<string, object>>): Promise<void> {
    for (const [last, columns] of Object.entries(links)) {
      const row = {
        id: `${RECORDING.slice(0, -1)}${last}`,
        recording_id: RECORDING,
        token: last,
        permission: 'view',
        created_at: '2026-01-01',
        ...columns,
      };
      await dataSource.query(
        `INSERT INTO share_links (${Object.keys(row).join(', ')})
         SELECT ${Object.keys(row).join(', ')} FROM json_populate_record(NULL::share_links, $1)`,
        [JSON.stringify(row)],
      );
    }
  }

  const tokens = async (where = 'true'): Promise<string> => {
    const rows = await dataSource.query<{ token: string }[]>(
      `SELECT token FROM share_links WHERE ${where} ORDER BY token`,
    );
    return rows.map(({ token }) => token).join('');
  };

  describe('AddSeparateShareLinks', () => {
    const NAME = 'AddSeparateShareLinks1764400000000';

    it.each([
      ['a link with neither', {}, 'a'],
      ['one with an expiry', { expires_at: '2030-01-01' }, ''],
      ['one with a password', { password_hash: 'x' }, ''],
    ])('sorts links by whether they have an expiry or a password: %s', async (_, columns, plain) => {
      await before(NAME);
      await insert({ a: columns });
      await dataSource.runMigrations();
      expect([await tokens(), await tokens('plain')]).toEqual(['a', plain]);
      expect(await tokens('label IS NULL')).toBe('a');
    });

    it('taken back keeps the plain link of each permission, else the newest', async () => {
      await insert({
        a: { plain: true, created_at: '2026-01-01' },
        b: { plain: false, created_at: '2026-01-02', label: 'Customer' },
        c: { plain: false, created_at: '2026-01-01', permission: 'download' },
        d: { plain: false, created_at: '2026-01-02', permission: 'download' },
      });
      await before(NAME);
      expect(await tokens()).toBe('ad');
    });
  });
});
