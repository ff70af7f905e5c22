import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { array, assert, asyncProperty, constantFrom, integer, record, runs } from '../support/properties.js';
import { DataSource } from 'typeorm';
import { QuotasService } from '../../src/modules/quotas/quotas.service.js';
import { Clock } from '../../src/platform/clock/clock.js';
import { parseSettings } from '../../src/platform/config/settings.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import type { JobsService } from '../../src/platform/jobs/jobs.service.js';
import { insertRows, recordingRow, userRows } from '../factories/worlds.js';
import { id } from '../factories/workspace.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

const [ada, bob] = [userRows('Ada', 'PRO').user, userRows('Bob', 'PRO').user];
const acme = id();
const SCOPES = [ada.id, bob.id, acme];
const TODAY = new Date().toISOString().slice(0, 10);

/** A statement about the `$1`th recording, with a number of bytes `$2` if it has that. */
const ONE = `(SELECT id FROM recordings ORDER BY id OFFSET $1 % GREATEST(1, (SELECT count(*) FROM recordings)) LIMIT 1)`;
const WRITES = {
  receive: `UPDATE uploads SET received = LEAST(received + $2, COALESCE(size, received + $2)) WHERE recording_id = ${ONE}`,
  restart: `UPDATE uploads SET received = 0 WHERE recording_id = ${ONE}`,
  declare: `UPDATE uploads SET size = received + $2 WHERE recording_id = ${ONE} AND size IS NULL`,
  close: `UPDATE uploads SET closed_at = now() WHERE recording_id = ${ONE}`,
  end: `DELETE FROM uploads WHERE recording_id = ${ONE}`,
  remove: `DELETE FROM recordings WHERE id = ${ONE}`,
  'remove several': `DELETE FROM recordings WHERE id <> ${ONE} AND owner_id = '${bob.id}'`,
  'to the organization': `UPDATE recordings SET organization_id = '${acme}' WHERE id = ${ONE}`,
  'to nobody': `UPDATE recordings SET owner_id = NULL WHERE id = ${ONE}`,
  rename: `UPDATE recordings SET title = 'New' WHERE id = ${ONE}`,
};
const KINDS = ['add', 'upload', 'upload', 'upload live', 'fail', 'fold'] as const;
const isWrite = (what: string): what is keyof typeof WRITES => what in WRITES;

const action = record({
  what: constantFrom<string>(...KINDS, ...Object.keys(WRITES)),
  owner: constantFrom(ada.id, bob.id),
  organization: constantFrom(acme, null),
  which: integer({ min: 0, max: 20 }),
  bytes: integer({ min: 1, max: 1000 }),
});
type Action = typeof action extends { generate: (...given: never[]) => { value: infer T } } ? T : never;

/** What is stored, from the rows themselves. */
const EXPECTED = `
  SELECT count(*)::int AS recordings, COALESCE(sum(CASE
    WHEN u.recording_id IS NULL THEN COALESCE(r.stored_bytes, 0)
    WHEN u.closed_at IS NULL THEN GREATEST(u.size, u.received) ELSE u.received END), 0)::int AS "storedBytes"
  FROM recordings r LEFT JOIN uploads u ON u.recording_id = r.id
  WHERE r.organization_id = $1 OR r.organization_id IS NULL AND r.owner_id = $1`;

describe('the use of quotas, kept by triggers', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let quotas: QuotasService;
  let started: Map<string, number>;

  beforeAll(async () => {
    database = await createDatabase();
    const options = dataSourceOptions({ url: database.url, poolSize: 4 });
    dataSource = await new DataSource(options).initialize();
    quotas = new QuotasService(
      dataSource,
      undefined as unknown as JobsService,
      new Clock(),
      parseSettings({}),
    );
    await insertRows(dataSource, 'users', [ada, bob]);
    await dataSource.query(`INSERT INTO organizations (id, name, plan) VALUES ($1, 'Acme', 'PRO')`, [acme]);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });
  beforeEach(empty);

  async function empty(): Promise<void> {
    started = new Map();
    await dataSource.query('TRUNCATE recordings CASCADE');
  }

  const rowOf = ({ owner, organization }: Action, more: object = {}) =>
    recordingRow({ owner_id: owner, organization_id: organization, ...more });

  async function act(to: Action): Promise<void> {
    const { what, which, bytes } = to;
    if (what === 'add') {
      return insertRows(dataSource, 'recordings', [rowOf(to), rowOf(to, { stored_bytes: bytes })]);
    }
    if (what === 'upload' || what === 'upload live') {
      const row = rowOf(to);
      await insertRows(dataSource, 'recordings', [row]);
      const size = what === 'upload' ? bytes : null;
      await insertRows(dataSource, 'uploads', [{ ...UPLOAD, recording_id: row.id, size }]);
      const scope = to.organization ?? to.owner;
      started.set(scope, (started.get(scope) ?? 0) + 1);
      return;
    }
    if (what === 'fail') {
      const failing = dataSource.transaction(async (manager) => {
        await insertRows(manager, 'recordings', [rowOf(to, { stored_bytes: bytes })]);
        throw new Error('rolled back');
      });
      return expect(failing).rejects.toThrow('rolled back');
    }
    if (what === 'fold') return quotas.fold();
    if (!isWrite(what)) throw new Error(`Unknown write: ${what}`);
    const sql = WRITES[what];
    await dataSource.query(sql, sql.includes('$2') ? [which, bytes] : [which]);
  }

  async function expectExact(): Promise<void> {
    for (const scope of SCOPES) {
      const [expected] = await dataSource.query<object[]>(EXPECTED, [scope]);
      const sql = 'SELECT quota_usage_of($1, $2) AS use';
      const [{ use }] = await dataSource.query<[{ use: object }]>(sql, [scope, TODAY]);
      expect(use).toEqual({ ...expected, uploadsToday: started.get(scope) ?? 0 });
    }
  }

  it('equals what is stored after any writes', async () => {
    const property = asyncProperty(array(action, { maxLength: 15 }), async (actions) => {
      for (const each of actions) await act(each);
      await expectExact();
      await empty();
    });
    await assert(property, { numRuns: runs(12) });
  });
});

const UPLOAD = {
  recording_id: null,
  size: null,
  received: 0,
  generation: 0,
  turn: 0,
  active_at: `${TODAY}T00:00:00Z`,
  closed_at: null,
};
