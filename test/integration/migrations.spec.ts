import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { MIGRATIONS } from '../../src/platform/database/migrations.js';
import { transactionBy } from '../../src/platform/database/transaction-by.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { newId } from '../../src/platform/ids.js';
import { apiKeyMistake } from '../../src/contract/api-key-format.js';
import { readApiKey } from '../../src/modules/auth/api-key.hot.sql.js';
import { hashSecret, randomBase62 } from '../../src/platform/secrets/secrets.js';
import { keyRefusal } from '../../src/policy/api-keys.js';
import { commandLine } from '../support/command-line.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

const TABLES_SQL = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> 'migrations'`;
const SCHEMA_SQL = `
  SELECT conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS line FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '')
    FROM information_schema.columns WHERE table_schema = 'public'
  ORDER BY 1`;

describe('migrations', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createDatabase({ migrated: false });
    const options = dataSourceOptions({ url: database.url, poolSize: 2 });
    dataSource = await new DataSource(options).initialize();
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const schema = async (): Promise<string[]> =>
    (await dataSource.query<{ line: string }[]>(SCHEMA_SQL)).map(({ line }) => line);

  it('run up, down and up again, with the same schema each time', async () => {
    await dataSource.runMigrations();
    const first = await schema();
    for (const _ of MIGRATIONS) await dataSource.undoLastMigration();
    expect(await dataSource.query(TABLES_SQL)).toEqual([]);
    await dataSource.runMigrations();
    expect(await schema()).toEqual(first);
  });

  it('keep the summaries of 1.0.0 as revisions, by whom and when the change log says', async () => {
    await dataSource.runMigrations();
    while ((await schema()).some((line) => line.startsWith('summary_revisions.')))
      await dataSource.undoLastMigration();
    const start = Date.now();
    const [first, second, third] = [1, 2, 3].map((seconds) => new Date(start + seconds * 1_000));
    const [ada, byAda, made, unknown, none] = Array.from({ length: 5 }, () => newId());
    await dataSource.query(
      `INSERT INTO users (id, email, name, plan) VALUES ('${ada}', 'ada@acme.test', 'Ada', 'PRO');
       INSERT INTO recordings (id, title, title_folded, status, progress, created_at, updated_at)
       SELECT id, 'Old', 'old', 'COMPLETED', 1, '2026-01-01', '2026-02-01Z'
       FROM unnest('{${[byAda, made, unknown, none].join()}}'::uuid[]) AS ids (id);
       INSERT INTO summaries (recording_id, status, revision, content) VALUES
         ('${byAda}', 'processing', 5, 'By hand'), ('${made}', 'processing', 3, 'Made'),
         ('${unknown}', 'processing', 3, 'Old'), ('${none}', 'failed', 2, NULL);
       INSERT INTO change_log (id, at, type, actor_kind, actor_id, recording_id, details)
       SELECT gen_random_uuid(), at, 'summary.completed', kind, actor, recording, details FROM (VALUES
         ('${first!.toISOString()}'::timestamptz, 'service', NULL::uuid, '${byAda}'::uuid, '{"revision": 2}'::jsonb),
         ('${second!.toISOString()}', 'user', '${ada}', '${byAda}', '{"revision": 4}'),
         ('${third!.toISOString()}', 'service', NULL, '${made}', '{"revision": 2}')) AS logged (at, kind, actor, recording, details)`,
    );
    await dataSource.runMigrations();
    const kept = await dataSource.query<object[]>(
      `SELECT recording_id AS of, revision, created_at AS at, cause, created_by AS by, topics FROM summary_revisions ORDER BY revision`,
    );
    const topics = null;
    expect(kept).toEqual([
      { of: made, revision: 2, at: third, cause: 'generation', by: null, topics },
      { of: unknown, revision: 3, at: new Date('2026-02-01'), cause: null, by: null, topics },
      { of: byAda, revision: 4, at: second, cause: 'import', by: ada, topics },
    ]);
  });

  it('keep the keys of 1.0.0 working, up and down, and revoke on the way down what was limited', async () => {
    await dataSource.runMigrations();
    while ((await schema()).some((line) => line.startsWith('api_key_uses.')))
      await dataSource.undoLastMigration();
    const key = `mrs_${randomBase62()}`;
    const [ada, limited] = [newId(), `mrs_${randomBase62()}`];
    await dataSource.query(
      `INSERT INTO users (id, email, name, plan) VALUES ('${ada}', 'ada@acme.test', 'Ada', 'PRO')`,
    );
    const insert = (text: string): Promise<unknown> =>
      dataSource.query(
        `INSERT INTO api_keys (id, user_id, name, prefix, hash, created_at) VALUES ($1, $2, 'old', $3, $4, '2026-01-01')`,
        [newId(), ada, text.slice(0, 12), hashSecret(text)],
      );
    const row = async (text: string): Promise<object> => {
      const [found] = await dataSource.query<[object]>('SELECT * FROM api_keys WHERE hash = $1', [
        hashSecret(text),
      ]);
      return found;
    };
    await insert(key);
    await insert(limited);
    const before = await row(key);

    await dataSource.runMigrations();
    const read = await readApiKey(dataSource, 'hash', hashSecret(key));
    expect(read).toMatchObject({ userId: ada, name: 'old', scopes: null, expiresAt: null });
    expect([apiKeyMistake(key), keyRefusal(read!, new Date())]).toEqual([null, null]);
    const narrow = `UPDATE api_keys SET scopes = '{questions}' WHERE hash = $1`;
    await dataSource.query(narrow, [hashSecret(limited)]);

    while ((await schema()).some((line) => line.startsWith('api_keys.scopes')))
      await dataSource.undoLastMigration();
    expect(await row(key)).toEqual(before);
    expect(await row(limited)).toMatchObject({ revoked_at: expect.any(Date) });
    await dataSource.query('UPDATE api_keys SET revoked_at = now() WHERE hash = $1', [hashSecret(key)]);
    const logged = await dataSource.query<{ type: string }[]>(
      `SELECT type FROM change_log WHERE type LIKE 'api_key.%' ORDER BY type`,
    );
    expect(logged.map(({ type }) => type)).toEqual([
      'api_key.created',
      'api_key.created',
      'api_key.revoked',
      'api_key.revoked',
      'api_key.updated',
    ]);
  });

  it('keep the share links of 1.0.0, up and down, and delete on the way down those that end with a key', async () => {
    await dataSource.runMigrations();
    const back = async (): Promise<void> => {
      while ((await schema()).some((line) => line.startsWith('share_links.api_key_id')))
        await dataSource.undoLastMigration();
    };
    await back();
    const [ada, key, talk, old, ofKey, second] = [newId(), newId(), newId(), newId(), newId(), newId()];
    const insert = (link: string, plain = true, columns = '', values = ''): Promise<unknown> =>
      dataSource.query(
        `INSERT INTO share_links (id, recording_id, permission, plain, token_hash, token_sealed, sealing_key_id, created_by, created_at${columns})
         VALUES ('${link}', '${talk}', 'view', ${plain}, '${link}', '', 'key', '${ada}', '2026-01-01'${values})`,
      );
    const links = async () =>
      (await dataSource.query<{ id: string }[]>('SELECT id FROM share_links ORDER BY id')).map(
        ({ id }) => id,
      );
    await dataSource.query(
      `INSERT INTO users (id, email, name, plan) VALUES ('${ada}', 'ada@acme.test', 'Ada', 'PRO');
       INSERT INTO sealing_keys (id, created_at) VALUES ('key', '2026-01-01');
       INSERT INTO api_keys (id, user_id, name, prefix, hash, created_at) VALUES ('${key}', '${ada}', 'old', 'mrs_', '', '2026-01-01');
       INSERT INTO recordings (id, title, title_folded, status, progress, created_at, updated_at)
       VALUES ('${talk}', 'Talk', 'talk', 'COMPLETED', 1, '2026-01-01', '2026-01-01')`,
    );
    await insert(old);
    await dataSource.runMigrations();
    const forKey = [false, ', api_key_id, plain_for_key', `, '${key}', true`] as const;
    await insert(ofKey, ...forKey);
    await expect(insert(second)).rejects.toThrow(/share_links_plain_key/);
    await expect(insert(second, ...forKey)).rejects.toThrow(/share_links_plain_for_key_key/);
    expect(await links()).toEqual([old, ofKey].sort());
    await back();
    expect(await links()).toEqual([old]);
    await expect(insert(second)).rejects.toThrow(/share_links_plain_key/);
  });

  it('log and announce how long keys may work, and go back where an organization limits it', async () => {
    await dataSource.runMigrations();
    const [acme, ada] = [newId(), newId()];
    await dataSource.query(
      `INSERT INTO users (id, email, name, plan) VALUES ('${ada}', 'ada@acme.test', 'Ada', 'PRO');
       INSERT INTO organizations (id, name, plan) VALUES ('${acme}', 'Acme', 'PRO');
       INSERT INTO organization_members (organization_id, user_id, role) VALUES ('${acme}', '${ada}', 'OWNER')`,
    );
    const limit = (days: number | null): Promise<unknown> =>
      dataSource.query('UPDATE organizations SET api_key_max_days = $1', [days]);
    for (const days of [0, 3651, -1]) await expect(limit(days)).rejects.toThrow(/api_key_max_days_check/);
    for (const days of [1, 3650, 3650, null, null]) await limit(days);
    const logged = await dataSource.query<{ details: object }[]>(
      `SELECT organization_id, target_id, details FROM change_log WHERE type = 'organization.updated'`,
    );
    const change = { organization_id: acme, target_id: acme, details: { fields: ['api_key_max_days'] } };
    expect(logged).toEqual([change, change, change]);

    await limit(90);
    const columns = (await schema()).filter((line) => line.includes('api_key_max_days'));
    expect(columns).toHaveLength(3);
    while ((await schema()).some((line) => line.includes('api_key_max_days')))
      await dataSource.undoLastMigration();
    expect(await schema()).not.toEqual(expect.arrayContaining(columns));
    expect(await dataSource.query('SELECT name FROM organizations')).toEqual([{ name: 'Acme' }]);
    await dataSource.query(`UPDATE organizations SET name = 'Acme again'`);
  });

  it.each([
    ['keep the logged names of clients on the way down, which seals cover', 'agent/1.0', ['client']],
    ['permit none on the way down where there are none', null, []],
  ])('%s', async (_, client, kinds) => {
    await dataSource.runMigrations();
    const created = (given: object) =>
      transactionBy(dataSource, { kind: 'user', ...given }, (manager) =>
        manager.query(
          `INSERT INTO users (id, email, name, plan) VALUES ('${newId()}', 'ada@acme.test', 'Ada', 'PRO')`,
        ),
      );
    const details = () =>
      dataSource
        .query<{ kind: string }[]>('SELECT kind FROM personal_details ORDER BY kind')
        .then((rows) => rows.map(({ kind }) => kind));
    await created({ address: '192.0.2.1', ...(client === null ? {} : { client }) });
    expect(await details()).toEqual(['address', ...kinds]);
    while ((await schema()).some((line) => line.startsWith('action_items.')))
      await dataSource.undoLastMigration();
    await created({ address: '192.0.2.2', client: 'ignored' });
    expect(await details()).toEqual(['address', 'address', ...kinds]);
    const insert = dataSource.query(
      `INSERT INTO personal_details (at, change_id, kind, commitment) VALUES (now(), '${newId()}', 'client', '')`,
    );
    if (client === null) await expect(insert).rejects.toThrow(/personal_details_kind_check/);
    else await insert;
    await dataSource.runMigrations();
    await created({ address: '192.0.2.3', client: 'agent/2.0' });
    expect((await details()).filter((kind) => kind === 'client').length).toBeGreaterThan(kinds.length);
  });

  it('create exactly what the entities describe', async () => {
    await dataSource.runMigrations();
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('leave the database unchanged if one of them fails', async () => {
    await dataSource.query('CREATE TABLE share_links (id int)');
    await expect(migrate(database.url)).rejects.toThrow(/share_links/);
    const tables = await dataSource.query<{ table_name: string }[]>(TABLES_SQL);
    expect(tables.map(({ table_name }) => table_name)).toEqual(['share_links']);
  });

  it('take turns when two processes start at once', async () => {
    await Promise.all([migrate(database.url), migrate(database.url), migrate(database.url)]);
    expect(await dataSource.query('SELECT count(*)::int AS n FROM migrations')).toEqual([
      { n: MIGRATIONS.length },
    ]);
  });

  it('fail with an ordinary error when one of their connections is lost, at any time', async () => {
    const enough = new AbortController();
    const ending = async (): Promise<void> => {
      while (!enough.signal.aborted) {
        await dataSource.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND usename = current_user AND application_name <> 'meeting-recording-service'`,
        );
      }
    };
    const ended = ending();
    for (let times = 0; times < 30; times += 1) await migrate(database.url).catch(() => undefined);
    enough.abort();
    await ended;
    await migrate(database.url);
    expect(await schema()).toContain('recordings.id uuid NO ');
  });

  it('reject a database migrated by a newer release', async () => {
    await migrate(database.url);
    await dataSource.query(
      `INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'AddFuture9999999999999')`,
    );
    await expect(migrate(database.url)).rejects.toThrow(/newer release, or by .* \(AddFuture9999999999999\)/);
  });

  it('are taken back by `rollback`, all or nothing, which says what is lost', async () => {
    const rollBack = (release: string, ...options: string[]) =>
      commandLine({ DATABASE_URL: database.url }, '--quiet', 'rollback', release, ...options);
    await migrate(database.url);
    const ada = newId();
    await dataSource.query(
      `INSERT INTO users (id, email, name, plan) VALUES ('${ada}', 'ada@acme.test', 'Ada', 'PRO');
       INSERT INTO api_keys (id, user_id, name, prefix, hash, scopes, created_at) SELECT gen_random_uuid(), '${ada}', 'one', 'mrs_', hash,
         scopes, now() FROM (VALUES ('a'::bytea, NULL::text[]), ('b', '{questions}')) AS keys (hash, scopes);
       INSERT INTO backups VALUES (now(), 'host', true, 0);
       INSERT INTO processes VALUES (gen_random_uuid(), 'host', 7, 'api', '1.1.0', now(), now(), '[]');
       INSERT INTO recording_keys VALUES (gen_random_uuid(), '${ada}', '')`,
    );
    const before = await schema();
    expect(await rollBack('0.9.0')).toMatchObject({
      status: 2,
      stderr: 'error: release: there was none before 1.0.0, and no 0.9.0\n',
    });
    const running = await rollBack('1.0.0');
    expect([running.status, running.stderr]).toEqual([
      3,
      expect.stringMatching(/^error: The service is running: api on host \(process 7\)\. /),
    ]);
    await dataSource.query(`UPDATE processes SET seen_at = now() - interval '1 min'`);
    const same = await rollBack('1.1.0');
    expect([same.status, same.stdout]).toEqual([0, expect.stringMatching(/ Nothing was changed\.\n$/)]);
    expect(await rollBack('1.0.0')).toMatchObject({
      status: 3,
      stderr:
        'error: Nothing was changed: media of 1 recordings is encrypted with CONTENT_KEY, which the older release cannot read. Restore a backup instead.\n',
    });
    expect(await schema()).toEqual(before);
    await dataSource.query('DELETE FROM recording_keys');

    const { status, stdout } = await rollBack('1.0.0', '--json');
    expect(status).toBe(0);
    const lost = [
      { name: 'backups', rows: 1 },
      { name: 'processes', rows: 1 },
      { name: 'api_keys.scopes', rows: 1 },
    ];
    expect(JSON.parse(stdout)).toEqual({
      release: '1.0.0',
      changed: true,
      lost: expect.arrayContaining(lost),
    });
    expect((await schema()).filter((line) => /^(backups|api_keys\.scopes)/.test(line))).toEqual([]);
    expect(await dataSource.query('SELECT name FROM migrations')).toEqual([{ name: MIGRATIONS[0]!.name }]);
  });

  it('reject a database that is not UTF-8', async () => {
    await dataSource.query(`CREATE DATABASE ${'latin_test'} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`);
    const url = new URL(database.url);
    url.pathname = '/latin_test';
    try {
      await expect(migrate(url.href)).rejects.toThrow(/must be UTF8, not LATIN1/);
    } finally {
      await dataSource.query('DROP DATABASE latin_test WITH (FORCE)');
    }
  });
});
