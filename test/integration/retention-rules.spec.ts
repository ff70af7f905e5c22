import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import {
  findRetentionFacts,
  TEXTS,
} from '../../src/modules/retention/ends/public/retention-facts.queries.js';
import { joinStrictest } from '../../src/modules/retention/retention.queries.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { sql } from '../../src/platform/database/sql.js';
import { isRemovable, organizationRules, retentionOf } from '../../src/policy/retention.js';
import { insertRows, recordingRow, userRows } from '../factories/worlds.js';
import { id } from '../factories/workspace.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  integer,
  oneof,
  constant,
  record,
  runs,
  subarray,
} from '../support/properties.js';

const [ada, bob] = [userRows('Ada', 'PRO').user.id, userRows('Bob', 'PRO').user.id];
const acme = id();
const [sales, board] = [id(), id()];
const CAPS = { personal: null, plans: { FREE: 25, PRO: null, ENTERPRISE: null } };
const at = (day: number): string => new Date(Date.UTC(2026, 0, 1 + day, 9, 30)).toISOString();

const day = integer({ min: 0, max: 60 });
const maybe = oneof(constant(null), day);
const ruleOf = record({
  removes: constantFrom('media', 'original', 'transcript', 'all'),
  days: constantFrom(0, 1, 5, 20, 30),
  counted_from: constantFrom('meeting', 'last_view'),
  folder_id: constantFrom(null, null, sales, board),
  effective: day,
  titles: subarray(['BOARD *', '*müller*', '100%_*', 'x']),
  owner_ids: subarray([ada]),
  folder_ids: subarray([board]),
});
const recordingOf = record({
  owner_id: constantFrom(ada, bob, null),
  folder_id: constantFrom(null, sales, board),
  title: constantFrom('Board meeting', 'Call with Jörg Muller', '100%_sure', '1000 things', 'x', 'weekly'),
  status: constantFrom('COMPLETED', 'ERROR', 'PROCESSING', 'RECORDING'),
  created: day,
  started: maybe,
  ended: maybe,
  viewed: maybe,
  placed: maybe,
  duration: constantFrom(null, 0.1234567, 3_600.5),
  media: constantFrom(true, false),
  without: constantFrom(true, false),
  original: constantFrom(true, false),
  transcript: constantFrom(null, 'processing', 'completed', 'failed'),
  summary: constantFrom(null, 'processing', 'completed'),
});
type Given<Arbitrary> = Arbitrary extends { generate: (...given: never[]) => { value: infer T } } ? T : never;

describe('what is due, found by SQL', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createDatabase();
    dataSource = await new DataSource(dataSourceOptions({ url: database.url, poolSize: 2 })).initialize();
    await insertRows(
      dataSource,
      'users',
      [userRows('Ada', 'PRO').user, userRows('Bob', 'PRO').user].map((one, index) => ({
        ...one,
        id: [ada, bob][index],
      })),
    );
    await dataSource.query(`INSERT INTO organizations (id, name, plan) VALUES ($1, 'Acme', 'FREE')`, [acme]);
    await insertRows(dataSource, 'folders', [
      { id: sales, organization_id: acme, name: 'Sales', active: true, restricted: false },
      { id: board, organization_id: acme, name: 'Board', active: true, restricted: false },
    ]);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const insert = async (given: Given<typeof recordingOf>): Promise<string> => {
    const optional = (value: number | null) => (value === null ? null : at(value));
    const row = recordingRow({
      organization_id: acme,
      owner_id: given.owner_id,
      folder_id: given.folder_id,
      title: given.title,
      status: given.status,
      created_at: at(given.created),
      started_at: optional(given.started),
      ended_at: optional(given.ended),
      viewed_at: optional(given.viewed),
      placed_at: optional(given.placed),
      duration: given.duration,
      without_media: given.without,
      stored_bytes: 0,
      revision: 1,
      notes: '',
      auto_transcribe: false,
      media_key: given.media ? id() : null,
      source_key: given.original ? id() : null,
    });
    await insertRows(dataSource, 'recordings', [row]);
    if (given.transcript)
      await dataSource.query(
        `INSERT INTO transcripts (recording_id, status, speakers, segments_count, duration) VALUES ($1, $2, '{}', 0, 0)`,
        [row.id, given.transcript],
      );
    if (given.summary)
      await dataSource.query(`INSERT INTO summaries (recording_id, status) VALUES ($1, $2)`, [
        row.id,
        given.summary,
      ]);
    return row.id;
  };

  it('is what the policy says of each recording', async () => {
    await assert(
      asyncProperty(
        array(ruleOf, { maxLength: 5 }),
        array(recordingOf, { minLength: 1, maxLength: 8 }),
        integer({ min: 0, max: 10 }),
        async (given, recordings, noticeDays) => {
          await dataSource.query('TRUNCATE recordings, organization_retention CASCADE');
          const own = given.map(({ effective, titles, owner_ids, folder_ids, ...rest }) => ({
            ...rest,
            id: id(),
            except: { titles, owner_ids, folder_ids },
            effective_at: at(effective),
          }));
          await dataSource.query('INSERT INTO organization_retention VALUES ($1, $2, $3)', [
            acme,
            noticeDays,
            JSON.stringify(own),
          ]);
          const ids: string[] = [];
          for (const one of recordings) ids.push(await insert(one));
          const rules = organizationRules({ noticeDays, rules: own }, 'FREE', CAPS);
          const found = await sql(dataSource)<object>`
          SELECT r.id, e.rank, e.ends_at AS "endsAt", e.is_removable AS "isRemovable"
          FROM recordings r ${() => TEXTS} ${joinStrictest(rules)} ORDER BY r.id`;
          const facts = await findRetentionFacts(dataSource.manager, ids, false);
          const decided = facts.flatMap((one) => {
            const retention = retentionOf(rules, one);
            if (!retention) return [];
            const { rule, endsAt } = retention;
            return [{ id: one.id, rank: rules.indexOf(rule), endsAt, isRemovable: isRemovable(rule, one) }];
          });
          expect(found).toEqual(decided);
        },
      ),
      { numRuns: runs(60) },
    );
  });
});
