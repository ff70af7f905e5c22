import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { MIGRATIONS } from '../../src/platform/database/migrations.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

/** Up to the release before tokens were sealed; from there on, see `share-token-migration.spec.ts`. */
const WITH_PLAIN_TOKENS = MIGRATIONS.slice(
  0,
  MIGRATIONS.findIndex(({ name }) => name.startsWith('SealShareTokens')),
);

const id = (last: string): string => `00000000-0000-7000-8000-00000000000${last}`;
const RECORDING = id('1');
const PERSONAL = id('2');
const ACME = id('3');
const ADA = id('4');
const GRACE = id('5');

/** Links of earlier and later releases, as rows; their ids differ in the last character. */
describe('migrations of share links', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createDatabase({ migrated: false });
    const options = dataSourceOptions({ url: database.url, poolSize: 1, entities: [] });
    dataSource = await new DataSource({ ...options, migrations: WITH_PLAIN_TOKENS }).initialize();
    await dataSource.runMigrations();
    await dataSource.query(
      `INSERT INTO users (id, email, name, plan) VALUES ('${ADA}', 'ada', 'Ada', 'PRO'), ('${GRACE}', 'grace', 'Grace', 'PRO')`,
    );
    await dataSource.query(`INSERT INTO organizations (id, name, plan) VALUES ('${ACME}', 'Acme', 'PRO')`);
    await dataSource.query(
      `INSERT INTO organization_members (organization_id, user_id, role) VALUES ('${ACME}', '${ADA}', 'OWNER')`,
    );
    await dataSource.query(
      `INSERT INTO recordings (id, organization_id, owner_id, title, status, progress, created_at, updated_at)
       VALUES ('${RECORDING}', '${ACME}', '${ADA}', 'Weekly', 'COMPLETED', 1, now(), now()),
         ('${PERSONAL}', NULL, '${ADA}', 'Mine', 'COMPLETED', 1, now(), now())`,
    );
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  /** Reverts all migrations from this one on. */
  async function before(name: string): Promise<void> {
    const at = WITH_PLAIN_TOKENS.findIndex((migration) => migration.name === name);
    for (const _ of WITH_PLAIN_TOKENS.slice(at)) await dataSource.undoLastMigration();
  }

  async function insert(links: Readonly<Record<string, object>>): Promise<void> {
    for (const [last, columns] of Object.entries(links)) {
      const row = {
        id: id(last),
        recording_id: RECORDING,
        created_by: ADA,
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
    ])('keeps links without expiry and password as plain ones: %s', async (_, columns, plain) => {
      await before(NAME);
      await insert({ a: columns });
      await dataSource.runMigrations();
      expect([await tokens(), await tokens('plain')]).toEqual(['a', plain]);
      expect(await tokens('label IS NULL')).toBe('a');
    });

    it('reverted, keeps the plain link of each permission, or else the newest', async () => {
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

  describe('TieShareLinksToMembers', () => {
    it('deletes the links of deleted users and former members, and keeps the others', async () => {
      await before('TieShareLinksToMembers1764410000000');
      await insert({
        a: { plain: true },
        b: { plain: false, created_by: GRACE },
        c: { plain: false, created_by: null },
        d: { plain: true, recording_id: PERSONAL },
        e: { plain: false, recording_id: PERSONAL, created_by: null },
      });
      await dataSource.runMigrations();
      expect(await tokens()).toBe('ad');
      expect(await tokens(`organization_id = '${ACME}'`)).toBe('a');
      expect(await tokens('organization_id IS NULL')).toBe('d');
    });

    it('reverted, lets links outlive their creator again', async () => {
      await insert({ a: { plain: true, organization_id: ACME } });
      await before('TieShareLinksToMembers1764410000000');
      await dataSource.query('DELETE FROM organization_members');
      await dataSource.query('DELETE FROM users');
      expect(await tokens('created_by IS NULL')).toBe('a');
    });
  });
});
