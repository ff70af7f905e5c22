import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { MIGRATIONS } from '../../src/platform/database/migrations.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

const NAME = 'VerifyEmailAddresses1764770000000';

describe('the migration that distinguishes verified addresses', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createDatabase({ migrated: false });
    dataSource = await new DataSource(
      dataSourceOptions({ url: database.url, poolSize: 1, entities: [] }),
    ).initialize();
    await dataSource.runMigrations();
    await downgrade();
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  async function downgrade(): Promise<void> {
    const at = MIGRATIONS.findIndex(({ name }) => name === NAME);
    for (const _ of MIGRATIONS.slice(at)) await dataSource.undoLastMigration();
  }

  const addUser = (name: string, more = ''): Promise<unknown> =>
    dataSource.query(
      `WITH added AS (
         INSERT INTO users (id, email, name, plan) VALUES (gen_random_uuid(), $1 || '@acme.test', $1, 'PRO')
         RETURNING id, created_at)
       ${more || 'SELECT FROM added'}`,
      [name],
    );
  const addKey = (name: string, later: string) => `
    INSERT INTO api_keys (id, user_id, name, prefix, hash, created_at)
    SELECT gen_random_uuid(), id, '${name}', 'mrs_', sha256(id::text::bytea), created_at + interval '${later}' FROM added`;

  it('verifies those of all users but those who came by an invitation, of which nobody knows how they got it', async () => {
    await addUser('host', addKey('laptop', '1 ms'));
    await addUser('invited', addKey('invitation', '1 ms'));
    await addUser('named', addKey('invitation', '1 day'));
    await dataSource.query(`SET meeting_recordings.change_source = '{"kind": "anonymous"}'`);
    await addUser('forgotten');
    await dataSource.query(`SET meeting_recordings.change_source = ''`);
    await dataSource.runMigrations();
    expect(await dataSource.query('SELECT name FROM users WHERE email_verified ORDER BY name')).toEqual([
      { name: 'host' },
      { name: 'named' },
    ]);
  });

  it('lets any number of users have an address, but only one be known by it', async () => {
    await dataSource.runMigrations();
    const add = (verified: boolean) =>
      dataSource.query(
        `INSERT INTO users (id, email, email_verified, name, plan)
         VALUES (gen_random_uuid(), $1 || 'da@acme.test', $2, 'Ada', 'PRO')`,
        [verified ? 'A' : 'a', verified],
      );
    for (const verified of [false, true, false]) await add(verified);
    await expect(add(true)).rejects.toThrow('users_email_key');
    await expect(downgrade()).rejects.toThrow('users_email_key');
  });
});
