import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { checkChain } from '../../src/modules/audit/seals/audit-verification.js';
import { NO_ORGANIZATION } from '../../src/modules/audit/seals/seal.js';
import { SealingService } from '../../src/modules/audit/seals/sealing.service.js';
import { SETTINGS, type Settings } from '../../src/platform/config/settings.js';
import { DatabaseServer } from '../../src/platform/database/servers/database-server.js';
import { AuditRetentionService } from '../../src/modules/audit/audit-retention.service.js';
import { id, keyOf, member, organization, user } from '../factories/workspace.js';
import { fillChangeLog } from '../support/change-rows.js';
import { startService, type TestService } from '../support/service.js';

/** Every column of a row but those that say where it is, with another value. */
const CHANGED: Readonly<Record<string, string>> = {
  type: `'recording.deleted'`,
  actor_kind: `'service'`,
  actor_id: 'gen_random_uuid()',
  api_key_id: 'gen_random_uuid()',
  request_id: `'another'`,
  recording_id: 'gen_random_uuid()',
  target_id: 'NULL',
  user_id: 'gen_random_uuid()',
  owner_id: 'gen_random_uuid()',
  folder_id: 'gen_random_uuid()',
  folder_access: `'open'`,
  details: `'{"fields": ["notes"]}'`,
};

const SECOND = 'WHERE organization_id = :chain AND number = 2';
const INSERT = `INSERT INTO change_log (at, type, actor_kind, organization_id)
  VALUES (now() - interval '2 hours', 'organization.updated', 'service', :chain)`;

describe('the seals of the change log', () => {
  let service: TestService;
  let database: DataSource;
  const ada = user('Ada');
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });

  beforeAll(async () => {
    service = await startService();
    database = service.dataSource;
    await service.import({ users: [ada], organizations: [acme] });
    for (const name of ['Acme 2', 'Acme 3', 'Acme 4'])
      await service.api.as(keyOf('Ada')).patch(`/organizations/${acme.id}`, { name });
    await seal();
  });
  afterAll(() => service.stop());

  const seal = () => service.app.get(SealingService).run();

  async function verify(chain: string, expected?: string) {
    const { url } = service.app.get(DatabaseServer);
    const { auditDays } = service.app.get<Settings>(SETTINGS);
    const { problems, ...report } = await checkChain(url, chain, { auditDays, expect: expected });
    return { report: { ...report, problems: problems.length }, problems };
  }
  const kindsIn = async (chain: string) => (await verify(chain)).problems.map(({ kind }) => kind);

  /** An organization whose rows are covered by three seals. */
  async function sealed(): Promise<{ chain: string; rows: { id: string; at: Date }[] }> {
    const chain = id();
    for (let seals = 0; seals < 3; seals += 1) {
      await fillChangeLog(database, { organizationId: chain, actorId: ada.id, rows: 10, everyMs: 1 });
      await seal();
    }
    expect(await verify(chain)).toMatchObject({ report: { rows: 30, seals: 3 }, problems: [] });
    const rows = await database.query<{ id: string; at: Date }[]>(
      'SELECT id, at FROM change_log WHERE organization_id = $1 ORDER BY at, id',
      [chain],
    );
    return { chain, rows };
  }

  /** What an owner of the database can do. */
  async function tamper(sql: string, values: Readonly<Record<string, string>> = {}): Promise<void> {
    const tables = ['change_log', 'personal_details', 'audit_seals', 'unsealed_changes'];
    const triggers = async (what: 'DISABLE' | 'ENABLE'): Promise<void> => {
      for (const table of tables) await database.query(`ALTER TABLE ${table} ${what} TRIGGER USER`);
    };
    await triggers('DISABLE');
    await database.query(sql.replaceAll(/:(chain|id)\b/g, (_, name: string) => `'${values[name]}'`));
    await triggers('ENABLE');
  }

  it('cover all rows, in months, at most 1,000 each, each with the hash of the one before', async () => {
    const chain = id();
    const until = new Date(Date.now() - 40 * 86_400_000);
    await fillChangeLog(database, { organizationId: chain, actorId: ada.id, rows: 50, until });
    await fillChangeLog(database, { organizationId: chain, actorId: ada.id, rows: 1_200, everyMs: 1 });
    await seal();
    const seals = await database.query<
      { number: string; row_count: number; hash: Buffer; previous_hash: Buffer | null; months: string }[]
    >(
      `SELECT number, row_count, hash, previous_hash,
         (to_char(from_at AT TIME ZONE 'UTC', 'YYYY-MM') = to_char(to_at AT TIME ZONE 'UTC', 'YYYY-MM'))::text AS months
       FROM audit_seals WHERE organization_id = $1 ORDER BY number`,
      [chain],
    );
    expect(seals.length).toBeGreaterThanOrEqual(3);
    expect(seals.map(({ number }) => Number(number))).toEqual(seals.map((_, index) => index + 1));
    expect(seals.every(({ row_count: count, months }) => count <= 1_000 && months === 'true')).toBe(true);
    expect(seals.map(({ previous_hash: hash }) => hash)).toEqual([
      null,
      ...seals.slice(0, -1).map(({ hash }) => hash),
    ]);
    expect(await verify(chain)).toMatchObject({
      report: { rows: 1_250, seals: seals.length, unsealed: 0, erased: 0, dropped: 0, problems: 0 },
      problems: [],
    });
    expect((await verify(chain)).report.lastHash).toBe(seals.at(-1)!.hash.toString('hex'));
  });

  it('cover rows that belong to no organization, and those of deleted ones', async () => {
    const gone = organization('Gone', { members: [member('Ada', 'OWNER')] });
    await service.import({ organizations: [gone] });
    await service.api.as(keyOf('Ada')).delete(`/organizations/${gone.id}`);
    await seal();
    expect(await verify(gone.id)).toMatchObject({ report: { unsealed: 0 }, problems: [] });
    expect((await verify(gone.id)).report.rows).toBeGreaterThan(2);
    const { report, problems } = await verify(NO_ORGANIZATION);
    expect([report.organizationId, problems]).toEqual([null, []]);
    expect(report.rows).toBeGreaterThan(0);
  });

  it('are the same whatever the settings of the session', async () => {
    const name = `"${new URL(service.databaseUrl).pathname.slice(1)}"`;
    const settings = ['TimeZone', 'DateStyle', 'bytea_output', 'extra_float_digits'];
    const values = [`'Pacific/Chatham'`, `'SQL, DMY'`, `'escape'`, '-15'];
    for (const [index, setting] of settings.entries())
      await database.query(`ALTER DATABASE ${name} SET ${setting} = ${values[index]}`);
    try {
      expect((await verify(acme.id)).problems).toEqual([]);
    } finally {
      for (const setting of settings) await database.query(`ALTER DATABASE ${name} RESET ${setting}`);
    }
  });

  it('find a change of any column', async () => {
    const columns = await database.query<{ name: string }[]>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'change_log'::regclass AND attnum > 0 AND NOT attisdropped`,
    );
    expect([...Object.keys(CHANGED), 'id', 'at', 'organization_id'].toSorted()).toEqual(
      columns.map(({ name }) => name).toSorted(),
    );
    const { chain, rows } = await sealed();
    const changes = Object.entries(CHANGED).map(([column, value], index) => ({
      column,
      value,
      ...rows[index]!,
    }));
    for (const { column, value, id: row } of changes)
      await tamper(`UPDATE change_log SET ${column} = ${value} WHERE id = :id`, { id: row });
    const { problems } = await verify(chain);
    for (const { column, id: row, at } of changes) {
      const found = problems.filter((problem) => problem.id === row);
      expect([column, found]).toEqual([
        column,
        [{ kind: 'row_changed', id: row, at, seal: expect.any(Number) }],
      ]);
    }
    expect(problems).toHaveLength(changes.length);
  });

  it.each([
    ['is missing', 'DELETE FROM change_log', ['row_missing']],
    [
      'has another time',
      `UPDATE change_log SET at = at + interval '1 minute'`,
      ['row_missing', 'row_inserted'],
    ],
    ['has another id', 'UPDATE change_log SET id = gen_random_uuid()', ['row_missing', 'row_inserted']],
    ['is no longer of the organization', 'UPDATE change_log SET organization_id = NULL', ['row_changed']],
  ])('find a row that %s', async (_, change, kinds) => {
    const { chain, rows } = await sealed();
    const row = rows[12]!;
    await tamper(`${change} WHERE id = :id`, { id: row.id });
    const { problems } = await verify(chain);
    expect(problems.map(({ kind }) => kind)).toEqual(kinds);
    expect(problems[0]).toMatchObject(row);
  });

  it('find a row that disappeared before it was sealed', async () => {
    const { chain } = await sealed();
    await fillChangeLog(database, { organizationId: chain, actorId: ada.id, rows: 1 });
    const queued = `WHERE id = (SELECT change_id FROM unsealed_changes WHERE organization_id = :chain)`;
    await tamper(`DELETE FROM change_log ${queued}`, { chain });
    expect((await verify(chain)).problems).toMatchObject([{ kind: 'row_missing', seal: null }]);
    await seal();
    expect((await verify(chain)).problems).toMatchObject([{ kind: 'row_missing', seal: 4 }]);
  });

  it('find an inserted row, whether it was queued for a seal or not', async () => {
    const { chain } = await sealed();
    await tamper(INSERT, { chain });
    expect((await verify(chain)).problems).toMatchObject([{ kind: 'row_inserted', seal: null }]);
    await database.query(INSERT.replace(':chain', `'${chain}'`));
    await seal();
    expect((await verify(chain)).problems).toMatchObject([
      { kind: 'row_inserted', seal: 4 },
      { kind: 'row_inserted', seal: null },
    ]);
  });

  it.each([
    [`DELETE FROM audit_seals ${SECOND}`, ['seal_missing']],
    [`UPDATE audit_seals SET row_hashes = sha256(row_hashes) ${SECOND}`, ['seal_changed']],
    [`UPDATE audit_seals SET sealed_at = sealed_at + interval '1 s' ${SECOND}`, ['seal_changed']],
    [`UPDATE audit_seals SET hash = sha256('') ${SECOND}`, ['seal_changed', 'chain_broken']],
    [`UPDATE audit_seals SET previous_hash = sha256('') ${SECOND}`, ['seal_changed', 'chain_broken']],
    [
      `UPDATE audit_seals SET row_ids = NULL, row_times = NULL, row_hashes = NULL ${SECOND}`,
      ['seal_changed'],
    ],
  ])('find a seal after %s', async (sql, kinds) => {
    const { chain } = await sealed();
    await tamper(sql, { chain });
    const { problems } = await verify(chain);
    const ofSeals = problems.filter(({ kind }) => kind.startsWith('seal') || kind === 'chain_broken');
    expect([...new Set(ofSeals.map(({ kind }) => kind))]).toEqual(kinds);
    expect(ofSeals[0]).toMatchObject({ seal: 2 });
  });

  it('cannot tell a log that was rewritten as a whole, but the hash that was kept elsewhere can', async () => {
    const { chain, rows } = await sealed();
    const { lastHash } = (await verify(chain)).report;
    expect((await verify(chain, lastHash!)).report.expectedIn).toBe(3);
    await tamper('UPDATE change_log SET actor_id = gen_random_uuid() WHERE id = :id', { id: rows[5]!.id });
    await tamper('DELETE FROM audit_seals WHERE organization_id = :chain', { chain });
    const again = 'SELECT organization_id, at, id FROM change_log WHERE organization_id = :chain';
    await tamper(`INSERT INTO unsealed_changes ${again}`, { chain });
    await seal();
    expect(await verify(chain, lastHash!)).toMatchObject({ report: { expectedIn: null }, problems: [] });
  });

  it('accept an erased address, and find a changed one', async () => {
    const changes = await database.query<{ id: string }[]>(
      `SELECT d.change_id AS id FROM personal_details d JOIN change_log c ON c.id = d.change_id
       WHERE c.organization_id = $1 AND d.user_id = $2 AND d.kind = 'address'`,
      [acme.id, ada.id],
    );
    const [erased, altered, removed] = changes.map(({ id: change }) => ({ id: change }));
    const where = `WHERE change_id = :id AND kind = 'address'`;
    await tamper(`UPDATE personal_details SET value = NULL, salt = NULL ${where}`, erased);
    expect(await verify(acme.id)).toMatchObject({ report: { erased: 1 }, problems: [] });
    await tamper(`UPDATE personal_details SET value = '203.0.113.9' ${where}`, altered);
    expect(await kindsIn(acme.id)).toEqual(['detail_changed']);
    await tamper(`UPDATE personal_details SET salt = NULL ${where}`, altered);
    expect(await kindsIn(acme.id)).toEqual(['detail_changed']);
    await tamper(`DELETE FROM personal_details ${where}`, removed);
    expect((await kindsIn(acme.id)).toSorted()).toEqual(['detail_changed', 'row_changed']);
  });

  it('refuse to be changed, as do the rows and their partitions', async () => {
    const [{ partition }] = await database.query<[{ partition: string }]>(
      `SELECT tableoid::regclass::text AS partition FROM change_log LIMIT 1`,
    );
    for (const statement of [
      'UPDATE audit_seals SET row_count = 1',
      'DELETE FROM audit_seals',
      'TRUNCATE audit_seals',
      `UPDATE ${partition} SET type = 'x'`,
      `DELETE FROM ${partition}`,
      `TRUNCATE ${partition}`,
      `TRUNCATE change_log`,
      `TRUNCATE ${partition.replace('change_log', 'personal_details')}`,
      'TRUNCATE personal_details',
      `UPDATE personal_details SET value = 'x'`,
      `UPDATE personal_details SET value = NULL, salt = NULL, commitment = ''`,
      'DELETE FROM personal_details',
    ])
      await expect(database.query(statement)).rejects.toThrow(/append-only|only be erased/);
  });

  it('stay, and can be verified, when whole months are dropped after AUDIT_DAYS', async () => {
    const beta = id();
    const until = new Date(Date.now() - 500 * 86_400_000);
    await fillChangeLog(database, { organizationId: beta, actorId: ada.id, rows: 30, until });
    await fillChangeLog(database, { organizationId: beta, actorId: ada.id, rows: 20 });
    await service.app.get(AuditRetentionService).run();
    // Not before they are sealed.
    expect((await verify(beta)).report).toMatchObject({ unsealed: 50 });
    await seal();
    expect((await verify(beta)).report).toMatchObject({ rows: 50, dropped: 0, problems: 0 });
    await service.app.get(AuditRetentionService).run();
    const months = await database.query<{ name: string }[]>(
      `SELECT relname AS name FROM pg_class WHERE relname ~ '^(change_log|personal_details)_[0-9]' AND relkind = 'r' ORDER BY 1`,
    );
    const limit = new Date(Date.now() - 400 * 86_400_000).toISOString().slice(0, 7).replace('-', '_');
    expect(months.length).toBeGreaterThan(0);
    expect(months.every(({ name }) => name.slice(-7) >= limit)).toBe(true);
    const { report, problems } = await verify(beta);
    expect([report, problems]).toMatchObject([{ rows: 20, dropped: 30 }, []]);
    const [{ listed }] = await database.query<[{ listed: number }]>(
      'SELECT count(*)::int AS listed FROM audit_seals WHERE organization_id = $1 AND row_ids IS NOT NULL',
      [beta],
    );
    expect(listed).toBe(report.seals - 1);
  });
});
