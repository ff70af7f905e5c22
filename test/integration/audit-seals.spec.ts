import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import {
  AuditVerificationService,
  type ChainReport,
} from '../../src/modules/audit/seals/audit-verification.service.js';
import { NO_ORGANIZATION } from '../../src/modules/audit/seals/seal.js';
import type { AuditProblem } from '../../src/modules/audit/seals/seal-checks.js';
import { SealingService } from '../../src/modules/audit/seals/sealing.service.js';
import { AuditRetentionService } from '../../src/modules/audit/upkeep/audit-retention.service.js';
import { id, keyOf, member, organization, user } from '../factories/workspace.js';
import { fillChangeLog } from '../support/change-rows.js';
import { startService, type TestService } from '../support/service.js';

/** In two months at most, one of which has more than a seal covers. */
const ROWS = 2_100;

/** Every column of a row, with another value. */
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

describe('the seals of the change log', () => {
  let service: TestService;
  let database: DataSource;
  const ada = user('Ada');
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });

  beforeAll(async () => {
    service = await startService();
    database = service.dataSource;
    await service.import({ users: [ada], organizations: [acme] });
    const everyMs = (30 * 86_400_000) / ROWS;
    await fillChangeLog(database, { organizationId: acme.id, actorId: ada.id, rows: ROWS, everyMs });
    await service.api.as(keyOf('Ada')).patch(`/organizations/${acme.id}`, { name: 'Acme Inc' });
    await seal();
  });
  afterAll(() => service.stop());
  beforeEach(async () => expect((await verify()).problems).toEqual([]));

  const seal = () => service.app.get(SealingService).run();

  async function verify(
    chain = acme.id,
    expected?: string,
  ): Promise<{ report: ChainReport; problems: AuditProblem[] }> {
    const problems: AuditProblem[] = [];
    const report = await service.app
      .get(AuditVerificationService)
      .check(chain, { onProblem: (problem) => void problems.push(problem), expect: expected });
    return { report, problems };
  }

  /** What an owner of the database can do, undone afterwards. */
  async function tampered(
    statements: readonly (readonly [sql: string, values?: unknown[]])[],
    look: () => Promise<void>,
  ): Promise<void> {
    const tables = ['change_log', 'personal_details', 'audit_seals', 'unsealed_changes'];
    for (const table of tables) {
      await database.query(`CREATE TABLE saved_${table} AS SELECT * FROM ${table}`);
      await database.query(`ALTER TABLE ${table} DISABLE TRIGGER ALL`).catch(async () => {
        await database.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      });
    }
    try {
      for (const [sql, values] of statements) await database.query(sql, values);
      await look();
    } finally {
      for (const table of tables) {
        await database.query(`DELETE FROM ${table}`);
        await database.query(`INSERT INTO ${table} SELECT * FROM saved_${table}`);
        await database.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
        await database.query(`DROP TABLE saved_${table}`);
      }
    }
  }

  const one = async (): Promise<{ id: string; at: Date }> => {
    const [row] = await database.query<{ id: string; at: Date }[]>(
      'SELECT id, at FROM change_log WHERE organization_id = $1 ORDER BY at, id OFFSET 1234 LIMIT 1',
      [acme.id],
    );
    return row!;
  };

  it('cover all rows, in months, at most 1,000 each, each with the hash of the one before', async () => {
    const seals = await database.query<
      { number: string; row_count: number; hash: Buffer; previous_hash: Buffer | null; months: string }[]
    >(
      `SELECT number, row_count, hash, previous_hash,
         (to_char(from_at AT TIME ZONE 'UTC', 'YYYY-MM') = to_char(to_at AT TIME ZONE 'UTC', 'YYYY-MM'))::text AS months
       FROM audit_seals WHERE organization_id = $1 ORDER BY number`,
      [acme.id],
    );
    expect(seals.map(({ number }) => Number(number))).toEqual(seals.map((_, index) => index + 1));
    expect(seals.every(({ row_count: count, months }) => count <= 1_000 && months === 'true')).toBe(true);
    expect(seals.map(({ previous_hash: hash }) => hash)).toEqual([
      null,
      ...seals.slice(0, -1).map(({ hash }) => hash),
    ]);
    const { report } = await verify();
    const [{ count }] = await database.query<[{ count: number }]>(
      'SELECT count(*)::int FROM change_log WHERE organization_id = $1',
      [acme.id],
    );
    expect(report).toMatchObject({
      rows: count,
      seals: seals.length,
      unsealed: 0,
      erased: 0,
      dropped: 0,
      problems: 0,
    });
    expect(report.lastHash).toBe(seals.at(-1)!.hash.toString('hex'));
  });

  it('cover rows that belong to no organization, and those of deleted ones', async () => {
    const gone = organization('Gone', { members: [member('Ada', 'OWNER')] });
    await service.import({ organizations: [gone] });
    await service.api.as(keyOf('Ada')).delete(`/organizations/${gone.id}`);
    await seal();
    expect(await verify(gone.id)).toMatchObject({
      report: { rows: expect.any(Number), unsealed: 0 },
      problems: [],
    });
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
      expect((await verify()).problems).toEqual([]);
    } finally {
      for (const setting of settings) await database.query(`ALTER DATABASE ${name} RESET ${setting}`);
    }
  });

  it('find a change of any column', async () => {
    const row = await one();
    const columns = await database.query<{ name: string }[]>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'change_log'::regclass AND attnum > 0 AND NOT attisdropped`,
    );
    // The others are where a row is, which is the next test.
    expect([...Object.keys(CHANGED), 'id', 'at', 'organization_id'].toSorted()).toEqual(
      columns.map(({ name }) => name).toSorted(),
    );
    await tampered([], async () => {
      for (const [column, value] of Object.entries(CHANGED)) {
        const set = (to: string) =>
          database.query(`UPDATE change_log c SET ${column} = ${to} WHERE at = $1 AND id = $2`, [
            row.at,
            row.id,
          ]);
        await set(value);
        expect([column, (await verify()).problems]).toEqual([
          column,
          [{ kind: 'row_changed', id: row.id, at: row.at, seal: expect.any(Number) }],
        ]);
        await set(`(SELECT ${column} FROM saved_change_log s WHERE s.at = c.at AND s.id = c.id)`);
      }
      expect((await verify()).problems).toEqual([]);
    });
  });

  it('find a row that is missing, or was moved to another time, id or organization', async () => {
    const row = await one();
    for (const [change, kinds] of [
      ['DELETE FROM change_log', ['row_missing']],
      [`UPDATE change_log SET at = at + interval '1 millisecond'`, ['row_missing', 'row_inserted']],
      ['UPDATE change_log SET id = gen_random_uuid()', ['row_missing', 'row_inserted']],
      ['UPDATE change_log SET organization_id = NULL', ['row_changed']],
    ] as const) {
      const sql = `${change} WHERE at = $1 AND id = $2`;
      await tampered([[sql, [row.at, row.id]]], async () => {
        const { problems } = await verify();
        expect(problems.map(({ kind }) => kind)).toEqual(kinds);
        expect(problems[0]).toMatchObject({ id: row.id, at: row.at });
      });
    }
  });

  it('find a row that disappeared before it was sealed', async () => {
    await service.api.as(keyOf('Ada')).patch(`/organizations/${acme.id}`, { name: 'Acme' });
    const [row] = await database.query<{ change_id: string; at: Date }[]>(
      'SELECT change_id, at FROM unsealed_changes WHERE organization_id = $1',
      [acme.id],
    );
    const sql = 'DELETE FROM change_log WHERE at = $1 AND id = $2';
    await tampered([[sql, [row!.at, row!.change_id]]], async () => {
      expect((await verify()).problems).toMatchObject([
        { kind: 'row_missing', id: row!.change_id, seal: null },
      ]);
      await seal();
      expect((await verify()).problems).toMatchObject([
        { kind: 'row_missing', id: row!.change_id, seal: expect.any(Number) },
      ]);
    });
    await seal();
  });

  const INSERT = `INSERT INTO change_log (at, type, actor_kind, organization_id) VALUES ($1, 'organization.updated', 'service', $2)`;

  it('find an inserted row, whether it was queued for a seal or not', async () => {
    const { at } = await one();
    await tampered([[INSERT, [at, acme.id]]], async () => {
      expect((await verify()).problems).toEqual([
        { kind: 'row_inserted', id: expect.any(String), at, seal: null },
      ]);
    });
    const queue = `INSERT INTO unsealed_changes SELECT organization_id, at, id FROM change_log WHERE at = $1 AND type = 'organization.updated'`;
    await tampered(
      [
        [INSERT, [at, acme.id]],
        [queue, [at]],
      ],
      async () => {
        await seal();
        expect((await verify()).problems).toMatchObject([{ kind: 'row_inserted', at }]);
      },
    );
  });

  it('find changed seals and missing ones', async () => {
    const cases: readonly (readonly [sql: string, kinds: readonly string[]])[] = [
      ['DELETE FROM audit_seals WHERE organization_id = $1 AND number = 2', ['seal_missing']],
      [
        'UPDATE audit_seals SET row_hashes = sha256(row_hashes) WHERE organization_id = $1 AND number = 2',
        ['seal_changed'],
      ],
      [
        `UPDATE audit_seals SET sealed_at = sealed_at + interval '1 s' WHERE organization_id = $1 AND number = 2`,
        ['seal_changed'],
      ],
      [
        `UPDATE audit_seals SET hash = sha256('') WHERE organization_id = $1 AND number = 2`,
        ['seal_changed', 'chain_broken'],
      ],
      [
        `UPDATE audit_seals SET previous_hash = sha256('') WHERE organization_id = $1 AND number = 2`,
        ['seal_changed', 'chain_broken'],
      ],
      [
        'UPDATE audit_seals SET row_ids = NULL, row_times = NULL, row_hashes = NULL WHERE organization_id = $1 AND number = 2',
        ['seal_changed'],
      ],
    ];
    for (const [sql, kinds] of cases) {
      await tampered([[sql, [acme.id]]], async () => {
        const { problems } = await verify();
        const ofSeals = problems.filter(({ kind }) => kind.startsWith('seal') || kind === 'chain_broken');
        expect([sql, [...new Set(ofSeals.map(({ kind }) => kind))]]).toEqual([sql, kinds]);
        expect(ofSeals[0]).toMatchObject({ seal: 2 });
      });
    }
  });

  it('cannot tell a log that was rewritten as a whole, but the hash that was kept elsewhere can', async () => {
    const { lastHash } = (await verify()).report;
    const row = await one();
    const rewritten = [
      ['UPDATE change_log SET actor_id = gen_random_uuid() WHERE at = $1 AND id = $2', [row.at, row.id]],
      ['DELETE FROM audit_seals WHERE organization_id = $1', [acme.id]],
      [
        'INSERT INTO unsealed_changes SELECT organization_id, at, id FROM change_log WHERE organization_id = $1',
        [acme.id],
      ],
    ] as const;
    await tampered(
      rewritten.map(([sql, values]) => [sql, [...values]] as const),
      async () => {
        await seal();
        const { report, problems } = await verify(acme.id, lastHash!);
        expect(problems).toEqual([]);
        expect(report.expectedIn).toBeNull();
      },
    );
    expect((await verify(acme.id, lastHash!)).report.expectedIn).toBe((await verify()).report.seals);
  });

  it('find a changed address, and accept an erased one', async () => {
    const where = `WHERE (at, change_id) = (SELECT at, change_id FROM personal_details WHERE user_id = $1 ORDER BY at LIMIT 1)`;
    await tampered([[`UPDATE personal_details SET value = '203.0.113.9' ${where}`, [ada.id]]], async () => {
      expect((await verify()).problems).toMatchObject([{ kind: 'detail_changed' }]);
    });
    await tampered([[`UPDATE personal_details SET salt = NULL ${where}`, [ada.id]]], async () => {
      expect((await verify()).problems).toMatchObject([{ kind: 'detail_changed' }]);
    });
    await tampered([[`DELETE FROM personal_details ${where}`, [ada.id]]], async () => {
      expect((await verify()).problems).toMatchObject([{ kind: 'row_changed' }]);
    });
    await tampered(
      [[`UPDATE personal_details SET value = NULL, salt = NULL ${where}`, [ada.id]]],
      async () => {
        expect(await verify()).toMatchObject({ problems: [], report: { erased: expect.any(Number) } });
        expect((await verify()).report.erased).toBeGreaterThan(0);
      },
    );
  });

  it('refuse to be changed, as do the rows and their partitions', async () => {
    const [{ partition }] = await database.query<[{ partition: string }]>(
      `SELECT tableoid::regclass::text AS partition FROM change_log LIMIT 1`,
    );
    const details = partition.replace('change_log', 'personal_details');
    for (const statement of [
      'UPDATE audit_seals SET row_count = 1',
      'DELETE FROM audit_seals',
      'TRUNCATE audit_seals',
      `UPDATE ${partition} SET type = 'x'`,
      `DELETE FROM ${partition}`,
      `TRUNCATE ${partition}`,
      `TRUNCATE change_log`,
      `TRUNCATE ${details}`,
      'TRUNCATE personal_details',
      `UPDATE personal_details SET value = 'x'`,
      `UPDATE personal_details SET value = NULL, salt = NULL, commitment = ''`,
      'DELETE FROM personal_details',
    ])
      await expect(database.query(statement)).rejects.toThrow(/append-only|only be erased/);
  });

  describe('after AUDIT_DAYS', () => {
    const old = new Date(Date.now() - 500 * 86_400_000);
    const beta = id();

    it('whole months are dropped, and the chain stays verifiable', async () => {
      await fillChangeLog(database, { organizationId: beta, actorId: ada.id, rows: 30, until: old });
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
});
