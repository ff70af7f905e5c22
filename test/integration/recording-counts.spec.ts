import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  integer,
  option,
  record,
  runs,
} from '../support/properties.js';
import { DataSource } from 'typeorm';
import { RecordingCountsService } from '../../src/modules/recordings/list/recording-counts.service.js';
import { findPage } from '../../src/modules/recordings/list/recording-list.hot.sql.js';
import type { VisibilitySlice } from '../../src/modules/recordings/list/visibility-slices.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import type { JobsService } from '../../src/platform/jobs/jobs.service.js';
import { insertRows, recordingRow, userRows } from '../factories/worlds.js';
import { id } from '../factories/workspace.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

const [ada, bob] = [userRows('Ada', 'PRO').user, userRows('Bob', 'PRO').user];
const organizations = [id(), id()];
/** Two of each organization. */
const folders = organizations.map(() => [id(), id()]);
const STATUSES = ['COMPLETED', 'ERROR', 'UPLOADING'] as const;
/** Around the boundaries of days, months and years. */
const TIMES = [
  '2025-12-31T23:59:59.999Z',
  '2026-01-01T00:00:00.000Z',
  '2026-01-31T12:00:00.000Z',
  '2026-02-28T23:59:59.999Z',
  '2026-03-01T00:00:00.000Z',
  '2026-03-17T08:30:00.000Z',
];

const place = record({
  organization: option(constantFrom(0, 1), { freq: 5 }),
  folder: option(constantFrom(0, 1)),
  owner: constantFrom(ada.id, bob.id, null),
  status: constantFrom(...STATUSES),
  time: constantFrom(...TIMES),
});
type Place = typeof place extends { generate: (...given: never[]) => { value: infer T } } ? T : never;

const action = record({
  what: constantFrom('add', 'add', 'add several', 'put', 'move', 'move', 'rename', 'remove', 'fold', 'fail'),
  place,
  which: integer({ min: 0, max: 50 }),
});
const filters = record({
  status: option(constantFrom(...STATUSES.map((status) => [status]), STATUSES.slice(0, 2), [...STATUSES])),
  since: option(constantFrom(...TIMES), { freq: 2 }),
  from: option(constantFrom(...TIMES)),
  to: option(constantFrom(...TIMES)),
});

describe('the total of the list, computed from counts', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let counts: RecordingCountsService;

  beforeAll(async () => {
    database = await createDatabase();
    const options = dataSourceOptions({ url: database.url, poolSize: 4 });
    dataSource = await new DataSource(options).initialize();
    counts = new RecordingCountsService(dataSource, undefined as unknown as JobsService);
    await insertRows(dataSource, 'users', [ada, bob]);
    const named = organizations.map((key, number) => ({
      id: key,
      name: `Organization ${number}`,
      plan: 'PRO',
    }));
    await insertRows(
      dataSource,
      'organizations',
      named.map((row) => ({ ...row, ...SWITCHES_ON, subscription_status: 'active' })),
    );
    const places = folders.flatMap((ids, home) =>
      ids.map((key, number) => ({
        id: key,
        organization_id: organizations[home],
        name: `Folder ${number}`,
        active: true,
        restricted: false,
      })),
    );
    await insertRows(dataSource, 'folders', places);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });
  beforeEach(() => dataSource.query('TRUNCATE recordings CASCADE'));

  const columns = ({ organization, folder, owner, status, time }: Place) => ({
    owner_id: owner,
    organization_id: organization === null ? null : organizations[organization],
    folder_id: organization === null || folder === null ? null : folders[organization]?.[folder],
    status,
    created_at: time,
    updated_at: time,
  });

  /** The `which`th recording of the existing ones. */
  const ONE = `(SELECT id FROM recordings ORDER BY id OFFSET $1 % GREATEST(1, (SELECT count(*) FROM recordings)) LIMIT 1)`;

  async function act({
    what,
    place: to,
    which,
  }: {
    what: string;
    place: Place;
    which: number;
  }): Promise<void> {
    if (what === 'add') return insertRows(dataSource, 'recordings', [recordingRow(columns(to))]);
    if (what === 'add several') {
      const others = [to, { ...to, status: STATUSES[which % 3]! }, to].map((each) =>
        recordingRow(columns(each)),
      );
      return insertRows(dataSource, 'recordings', others);
    }
    if (what === 'put') {
      // An upsert of an existing row: not quite an insert, not quite an update.
      const [first] = await dataSource.query<{ id: string }[]>(
        'SELECT id FROM recordings ORDER BY id LIMIT 1',
      );
      const row = recordingRow({ ...columns(to), ...(first && which % 2 ? { id: first.id } : {}) });
      await dataSource.query(
        `INSERT INTO recordings (id, owner_id, organization_id, folder_id, title, status, progress, created_at, updated_at)
         SELECT id, owner_id, organization_id, folder_id, title, status, progress, created_at, updated_at
         FROM jsonb_populate_record(NULL::recordings, $1::jsonb)
         ON CONFLICT (id) DO UPDATE SET status = excluded.status, created_at = excluded.created_at`,
        [JSON.stringify(row)],
      );
      return;
    }
    if (what === 'move') {
      const {
        owner_id: owner,
        organization_id: home,
        folder_id: folder,
        status,
        created_at: time,
      } = columns(to);
      await dataSource.query(
        `UPDATE recordings SET owner_id = $2, organization_id = $3, folder_id = $4, status = $5, created_at = $6 WHERE id = ${ONE}`,
        [which, owner, home, folder, status, time],
      );
    }
    if (what === 'rename')
      await dataSource.query(`UPDATE recordings SET title = 'New' WHERE id = ${ONE}`, [which]);
    if (what === 'remove') {
      await dataSource.query(`DELETE FROM recordings WHERE id = ${ONE} OR status = 'UPLOADING'`, [which]);
    }
    if (what === 'fold') await counts.fold();
    if (what === 'fail') {
      await dataSource
        .transaction(async (manager) => {
          await insertRows(manager, 'recordings', [recordingRow(columns(to))]);
          throw new Error('rolled back');
        })
        .catch(() => undefined);
    }
  }

  const SLICES: readonly (readonly [string, readonly VisibilitySlice[], string])[] = [
    ['an organization', [{ column: 'organization_id', values: [organizations[0]!] }], `organization_id = $1`],
    ['both', [{ column: 'organization_id', values: organizations }], `organization_id IS NOT NULL`],
    ['a folder', [{ column: 'folder_id', values: [folders[0]![0]!] }], `folder_id = $2`],
    [
      'own, and a folder',
      [
        { column: 'organization_id', values: organizations, only: 'own', outside: [folders[0]![0]!] },
        { column: 'folder_id', values: [folders[0]![0]!] },
      ],
      `(organization_id IS NOT NULL AND owner_id = $3 OR folder_id = $2)`,
    ],
    [
      'personal and an organization',
      [
        { column: 'owner_id', values: [ada.id], only: 'personal' },
        { column: 'organization_id', values: [organizations[0]!] },
      ],
      `(organization_id IS NULL AND owner_id = $3 OR organization_id = $1)`,
    ],
  ];

  it.each(SLICES)('of %s equals the number of rows after any writes', async (_, slices, rule) => {
    const property = asyncProperty(
      array(action, { maxLength: 12 }),
      array(filters, { minLength: 1, maxLength: 4 }),
      async (actions, asked) => {
        for (const each of actions) await act(each);
        for (const { status, from, to, since } of asked) {
          const page = await findPage(dataSource, {
            viewerId: ada.id,
            slices,
            filters: {
              counted: {
                ...(status ? { status } : {}),
                ...(from ? { createdFrom: new Date(from) } : {}),
                ...(to ? { createdTo: new Date(to) } : {}),
              },
              direct: since ? { updated_since: since } : {},
            },
            limit: 100,
            offset: 0,
          });
          const plain = await dataSource.query<{ id: string }[]>(
            `SELECT id FROM recordings WHERE ${rule} AND ($1::uuid, $2::uuid, $3::uuid) IS NOT NULL
               AND ($4::text[] IS NULL OR status = ANY ($4)) AND ($5::timestamptz IS NULL OR created_at >= $5)
               AND ($6::timestamptz IS NULL OR created_at <= $6)
               AND ($7::timestamptz IS NULL OR updated_at >= $7) ORDER BY created_at DESC, id`,
            [organizations[0], folders[0]?.[0], ada.id, status, from, to, since],
          );
          expect(page.total).toBe(plain.length);
          expect(page.rows.map((row) => row.id)).toEqual(plain.slice(0, 100).map((row) => row.id));
        }
      },
    );
    await assert(property, { numRuns: runs(6), interruptAfterTimeLimit: 60_000 });
  });

  it('stays correct while two processes fold and others write', async () => {
    const rounds = runs(6);
    const several = Array.from({ length: 20 }, () => recordingRow({ organization_id: organizations[0] }));
    const writers = { busy: true };
    const folding = [0, 1].map(async () => {
      while (writers.busy) await counts.fold();
    });
    const writing = Array.from({ length: 3 }, async (_row, writer) => {
      for (let round = 0; round < rounds; round += 1) {
        await insertRows(
          dataSource,
          'recordings',
          several.map((row) => ({ ...row, id: id() })),
        );
        if (writer === 0)
          await dataSource.query(`UPDATE recordings SET status = 'ERROR' WHERE status = 'COMPLETED'`);
      }
    });
    await Promise.all(writing);
    writers.busy = false;
    await Promise.all(folding);
    await counts.fold();
    const slices: VisibilitySlice[] = [{ column: 'organization_id', values: [organizations[0]!] }];
    const page = { viewerId: ada.id, slices, limit: 1, offset: 0 };
    expect((await findPage(dataSource, { ...page, filters: { counted: {}, direct: {} } })).total).toBe(
      3 * 20 * rounds,
    );
    const [{ n }] = await dataSource.query(
      `SELECT count(*)::int AS n FROM recordings WHERE status = 'ERROR'`,
    );
    expect(
      (await findPage(dataSource, { ...page, filters: { counted: { status: ['ERROR'] }, direct: {} } }))
        .total,
    ).toBe(n);
  });
});

const SWITCHES_ON = {
  feature_downloads: true,
  feature_sharing: true,
  feature_transcription: true,
  feature_summaries: true,
  feature_questions: true,
};
