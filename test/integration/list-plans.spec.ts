import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { EntityManager } from 'typeorm';
import type { CountedFilters, ListFilters } from '../../src/modules/recordings/list/recording-filters.js';
import {
  listStatement,
  visibleCondition,
  type ListQuery,
} from '../../src/modules/recordings/list/recording-list.hot.sql.js';
import type { VisibilitySlice } from '../../src/modules/recordings/list/visibility-slices.js';
import { openSlices } from '../../src/modules/recordings/list/public/open-slices.sql.js';
import { parseSearchQuery } from '../../src/modules/search/query/search-query.js';
import { searchPage } from '../../src/modules/search/found/search-page.js';
import {
  actionItemsStatement,
  type ActionItemsQuery,
} from '../../src/modules/summaries/action-items/action-items.queries.js';
import { deletedStatement } from '../../src/modules/recordings/bin/recording-bin.queries.js';
import { fillSearchIndex, fillWithMany, fixedId, MANY } from '../factories/worlds.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

const big = fixedId(MANY.organization, 0);
const viewer = fixedId(MANY.user, 0);
const folders = Array.from({ length: 20 }, (_, number) => fixedId(MANY.folder, number));
const LIMIT = 20;
/** The extra row indicates whether there is a next page. */
const PAGE = LIMIT + 1;
/**
 * Own recordings in visible folders are read with the folders and skipped here; in this data these are half of them.
 */
const OWN_PAGE = 4 * PAGE;

const PERSONAL: VisibilitySlice = { column: 'owner_id', values: [viewer], only: 'personal' };
const WHOLE: VisibilitySlice = { column: 'organization_id', values: [big] };
const OWN: VisibilitySlice = { column: 'organization_id', values: [big], only: 'own', outside: folders };
const IN_FOLDERS: VisibilitySlice = { column: 'folder_id', values: folders };
const ONE_FOLDER: VisibilitySlice = { column: 'folder_id', values: folders.slice(0, 1) };
const RANGE = {
  createdFrom: new Date('2024-03-01T00:00:00Z'),
  createdTo: new Date('2024-03-31T23:59:59.999Z'),
};
/** `fillWithMany` changes nothing after this. */
const MINUTE_AGO = new Date('2026-01-01T00:00:00Z');
const RARE = ['ERROR', 'UPLOADING', 'PROCESSING'] as const;
const EARLY = { createdTo: new Date('2023-02-01T00:00:00Z') };

const P = 'recordings_personal_idx';
const O = 'recordings_organization_idx';
const OO = 'recordings_organization_owner_idx';
const OS = 'recordings_organization_status_idx';
const F = 'recordings_folder_idx';

/** The indexes that may serve the page, and the maximum number of rows read for each value of each slice. */
const CASES: readonly (readonly [
  string,
  readonly VisibilitySlice[],
  CountedFilters,
  readonly string[],
  number?,
])[] = [
  ['personal owner', [PERSONAL], {}, [P]],
  ['OWNER of the organization', [WHOLE], {}, [O]],
  ['EDITOR: personal, own, folders', [PERSONAL, OWN, IN_FOLDERS], {}, [P, OO, F], OWN_PAGE],
  ['EDITOR: only own', [OWN], {}, [OO], OWN_PAGE],
  ['folder', [ONE_FOLDER], {}, [F]],
  ['folder, only own visible', [{ ...ONE_FOLDER, only: 'own' }], {}, [F, OO], 1_600],
  ['rare status', [WHOLE], { status: ['ERROR'] }, [OS]],
  ['frequent status', [WHOLE], { status: ['COMPLETED'] }, [OS, O], 2 * PAGE],
  ['status of no recording', [WHOLE], { status: ['UPLOADING'] }, [OS]],
  ['status, for an EDITOR', [PERSONAL, OWN, IN_FOLDERS], { status: ['ERROR'] }, [P, OO, F], 1_000],
  ['several rare statuses', [WHOLE], { status: RARE }, [OS]],
  ['several statuses, a frequent one too', [WHOLE], { status: ['COMPLETED', ...RARE] }, [OS]],
  ['several statuses, for an EDITOR', [PERSONAL, OWN, IN_FOLDERS], { status: RARE }, [P, OO, F], 1_000],
  ['date range', [WHOLE], RANGE, [O]],
  ['dates long ago', [WHOLE], EARLY, [O]],
  ['date range and status', [WHOLE], { ...RANGE, status: ['ERROR'] }, [OS]],
];

describe('among 100,000 recordings', () => {
  let database: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await createDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    await fillWithMany(client);
    await fillSearchIndex(client);
    await client.query(
      `UPDATE recordings SET updated_at = '2026-01-01T00:00:30Z'
       WHERE id IN (SELECT id FROM recordings ORDER BY id LIMIT 150)`,
    );
  }, 180_000);
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  async function explain(
    slices: readonly VisibilitySlice[],
    { counted = {}, direct = {} }: Partial<ListFilters>,
    rest: Partial<ListQuery> = {},
  ): Promise<PlanNode> {
    const filters = { counted, direct };
    const query = { viewerId: viewer, slices, filters, limit: LIMIT, offset: 0, ...rest };
    const { text, values } = listStatement(query).toQuery();
    return planOf(client, text, values);
  }

  it.each(CASES)('%s: the page is read from an index in list order', async (_, slices, counted, ...rest) => {
    const [indexes, most = PAGE] = rest;
    const plan = await explain(slices, { counted });
    expect(wastefulScans(plan)).toEqual([]);
    const page = pageScans(plan);
    expect(page.length).toBeGreaterThan(0);
    for (const node of page) {
      expect(indexes).toContain(node['Index Name']);
      expect([node['Index Name'], rowsRead(node) <= most || rowsRead(node)]).toEqual([
        node['Index Name'],
        true,
      ]);
    }
  });

  it.each([
    ['OWNER of the organization', [WHOLE]],
    ['EDITOR: personal, own, folders', [PERSONAL, OWN, IN_FOLDERS]],
  ])('a rare word, %s: the hits are found by the trigram index', async (_, slices) => {
    const plan = await explain(slices, { direct: { search: 'Zanzibar' } });
    expect(wastefulScans(plan)).toEqual([]);
    const hits = nodes(plan).filter((node) => node['Index Name'] === 'recordings_title_trgm_idx');
    expect(hits.length).toBeGreaterThan(0);
    for (const node of hits) expect(node['Actual Rows']).toBeLessThan(200);
  });

  it.each([
    ['OWNER of the organization', [WHOLE], {}],
    ['EDITOR: personal, own, folders', [PERSONAL, OWN, IN_FOLDERS], {}],
    ['with a date range', [WHOLE], RANGE],
  ])(
    'changed within a minute, %s: the changed recordings are found by their index',
    async (_, slices: readonly VisibilitySlice[], counted: CountedFilters) => {
      const plan = await explain(slices, { counted, direct: { updated_since: MINUTE_AGO.toISOString() } });
      expect(wastefulScans(plan)).toEqual([]);
      expect(nodes(plan).map((node) => node['Index Name'])).toContain('recordings_updated_at_idx');
      for (const node of scans(plan)) expect(rowsRead(node) * node['Actual Loops']).toBeLessThan(200);
    },
  );

  it('changed since long ago: the recordings of the organization are read once', async () => {
    const plan = await explain([WHOLE], { direct: { updated_since: EARLY.createdTo.toISOString() } });
    const hits = scans(plan).filter((node) => rowsRead(node) * node['Actual Loops'] > LIMIT + 1);
    expect(hits).toHaveLength(1);
  });

  it('a later page reads the rows before it only once', async () => {
    const page = pageScans(await explain([WHOLE], {}, { offset: 1000 }));
    expect(page.map((node) => [node['Index Name'], rowsRead(node)])).toEqual([[O, 1000 + PAGE]]);
  });

  it('a page by cursor begins in the index where the page before it ended', async () => {
    const after = { createdAt: new Date('2024-03-01T00:00:00Z'), id: fixedId(MANY.user, 0) };
    const page = pageScans(await explain([WHOLE], {}, { after }));
    expect(page.map((node) => [node['Index Name'], rowsRead(node)])).toEqual([[O, PAGE]]);
  });

  it.each([
    ['of an organization', [WHOLE], {}, {}],
    ['of a folder', [ONE_FOLDER], {}, {}],
    ['of an EDITOR', [PERSONAL, OWN, IN_FOLDERS], {}, {}],
    ['with a status', [WHOLE], { status: ['COMPLETED'] as const }, {}],
    ['with a date range', [WHOLE], RANGE, {}],
    ['with a later page', [WHOLE], {}, { offset: 20 }],
    ['of a speaker', [WHOLE], {}, { speaker: 'Ada' }],
  ])(
    'a search %s: the index of words finds the hits, and few recordings are read',
    async (_, slices: readonly VisibilitySlice[], counted: CountedFilters, more: object) => {
      const plan = await explainSearch(client, { slices, counted, ...more });
      expect(wastefulScans(plan)).toEqual([]);
      expect(nodes(plan).map((node) => node['Index Name'])).toContain('search_entries_words_idx');
      const read = scans(plan).map((node) => rowsRead(node) * node['Actual Loops']);
      expect(read.length).toBeGreaterThan(0);
      // Where a folder or a month has few recordings, PostgreSQL may read these instead of looking up each hit.
      for (const rows of read) expect(rows).toBeLessThan(2_500);
    },
  );

  describe('with action items', () => {
    const ITEMS = 4;
    const OPEN: readonly [string, string][] = [
      [big, '-infinity'],
      [viewer, '-infinity'],
    ];

    beforeAll(async () => {
      for (const statement of [
        'ALTER TABLE summaries DISABLE TRIGGER USER',
        'ALTER TABLE action_items DISABLE TRIGGER USER',
        `INSERT INTO summaries (recording_id, status, content)
         SELECT id, 'completed', 'We talked.' FROM recordings WHERE organization_id = '${big}' OR owner_id = '${viewer}'`,
        `INSERT INTO action_items (id, recording_id, position, text, owner, segment_ids, done)
         SELECT gen_random_uuid(), recording_id, n, 'Ask', CASE WHEN random() < 0.0003 THEN 'Zoe' ELSE 'Ada' END, '{}',
           random() < 0.5 FROM summaries, generate_series(1, ${ITEMS}) n`,
        'ANALYZE summaries',
        'ANALYZE action_items',
      ])
        await client.query(statement);
    }, 180_000);

    it.each([
      ['OWNER of the organization', [WHOLE], {}, {}],
      ['EDITOR: personal, own, folders', [PERSONAL, OWN, IN_FOLDERS], {}, {}],
      ['not done', [WHOLE], {}, { done: false }],
      ['of a frequent owner', [WHOLE], {}, { owner: 'ADA' }],
      ['of a rare owner', [WHOLE], {}, { owner: 'zoe' }],
      ['of a rare owner, for an EDITOR', [PERSONAL, OWN, IN_FOLDERS], {}, { owner: 'zoe' }],
      ['of nobody', [WHOLE], {}, { owner: 'Nemo' }],
      ['of a folder', [ONE_FOLDER], {}, {}],
      ['date range', [WHOLE], RANGE, {}],
      ['by cursor', [WHOLE], {}, { after: { createdAt: new Date('2024-03-01T00:00:00Z'), id: viewer } }],
    ])(
      '%s: a page of action items reads little more than the page',
      async (
        _,
        slices: readonly VisibilitySlice[],
        counted: CountedFilters,
        filters: Partial<ActionItemsQuery>,
      ) => {
        const scope = { viewerId: viewer, slices, filters: { counted, direct: {} }, memberships: [] };
        const folder = folders.map((id): [string, string] => [id, '-infinity']);
        const open = openSlices(scope, new Map([...OPEN, ...folder]));
        const { text, values } = actionItemsStatement({ slices: open, ...filters, limit: PAGE }).toQuery();
        const read = nodes(await planOf(client, text, values))
          .filter((node) => node['Relation Name'])
          .map((node) => rowsRead(node) * node['Actual Loops']);
        expect(read.length).toBeGreaterThan(0);
        expect(Math.max(...read)).toBeLessThan(4_000);
      },
    );
  });

  describe('with external ids and metadata', () => {
    beforeAll(async () => {
      await client.query('ALTER TABLE recordings DISABLE TRIGGER USER');
      await client.query(
        `UPDATE recordings r SET external_id = 'CRM-' || n, metadata = jsonb_build_object('crm', n::text, 'source', 'calls')
         FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM recordings WHERE organization_id = $1 LIMIT 5000) picked
         WHERE picked.id = r.id`,
        [big],
      );
      await client.query('ANALYZE recordings');
    }, 180_000);

    it.each([
      ['an external id', [WHOLE], { external_id: 'CRM-17' }, 'recordings_external_id_key'],
      [
        'an external id, for an EDITOR',
        [PERSONAL, OWN, IN_FOLDERS],
        { external_id: 'CRM-17' },
        'recordings_external_id_key',
      ],
      ['metadata', [WHOLE], { metadata: { crm: '17' } }, 'recordings_metadata_idx'],
      [
        'metadata, for an EDITOR',
        [PERSONAL, OWN, IN_FOLDERS],
        { metadata: { crm: '17' } },
        'recordings_metadata_idx',
      ],
      ['two of metadata', [WHOLE], { metadata: { crm: '17', source: 'calls' } }, 'recordings_metadata_idx'],
    ])('%s: the recording is found by the index', async (_, slices, direct, index) => {
      const plan = await explain(slices as readonly VisibilitySlice[], { direct });
      expect(wastefulScans(plan)).toEqual([]);
      expect(nodes(plan).map((node) => node['Index Name'])).toContain(index);
      for (const node of scans(plan)) expect(rowsRead(node) * node['Actual Loops']).toBeLessThan(50);
    });

    it.each([
      ['an external id', { external_id: 'CRM-17' }],
      ['metadata', { metadata: { crm: '17' } }],
    ])('a search with %s reads few recordings', async (_, direct) => {
      const plan = await explainSearch(client, { slices: [WHOLE], counted: {}, direct });
      expect(wastefulScans(plan)).toEqual([]);
      for (const node of scans(plan)) expect(rowsRead(node) * node['Actual Loops']).toBeLessThan(2_500);
    });
  });

  describe('with deleted ones', () => {
    beforeAll(async () => {
      await client.query('ALTER TABLE recordings DISABLE TRIGGER USER');
      await client.query(
        `UPDATE recordings SET deleted_at = timestamptz '2025-01-01' + random() * interval '300 days', purge_at = now(),
           deleted_owner_id = $2, deleted_organization_id = organization_id, owner_id = NULL, organization_id = NULL,
           folder_id = NULL
         WHERE id IN (SELECT id FROM recordings WHERE organization_id = $1 LIMIT 3000)`,
        [big, viewer],
      );
      await client.query('ANALYZE recordings');
    }, 180_000);

    it.each([
      ['of an organization', { any: [big] }, undefined],
      ['of an EDITOR', { personal: true, own: [big] }, undefined],
      ['by cursor', { any: [big] }, { createdAt: new Date('2025-06-01T00:00:00Z'), id: viewer }],
    ])('deleted ones %s: a page is read from an index in list order', async (_, scope, after) => {
      const nothing = { viewerId: viewer, personal: false, own: [], any: [], folderIds: null };
      const { text, values } = deletedStatement({ ...nothing, ...scope, limit: LIMIT, after }).toQuery();
      const plan = await planOf(client, text, values);
      expect(wastefulScans(plan)).toEqual([]);
      const read = scans(plan).filter((node) => node['Actual Loops'] > 0);
      expect(read.length).toBeGreaterThan(0);
      for (const node of read) expect(rowsRead(node)).toBeLessThanOrEqual(PAGE);
    });
  });
});

async function planOf(client: Client, sql: string, parameters: unknown[]): Promise<PlanNode> {
  const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`, parameters);
  return rows[0]['QUERY PLAN'][0].Plan;
}

/** The plan of the statement that finds the recordings of a page of the search. */
async function explainSearch(
  client: Client,
  {
    slices,
    counted,
    direct = {},
    offset = 0,
    speaker,
  }: {
    slices: readonly VisibilitySlice[];
    counted: CountedFilters;
    direct?: ListFilters['direct'];
    offset?: number;
    speaker?: string;
  },
): Promise<PlanNode> {
  const filters = { counted, direct };
  const statements: [sql: string, parameters: unknown[]][] = [];
  const manager = {
    query: async (sql: string, parameters: unknown[] = []) => {
      if (sql.includes('found AS')) statements.push([sql, parameters]);
      return (await client.query(sql, parameters)).rows;
    },
  };
  await searchPage(manager as unknown as EntityManager, {
    query: parseSearchQuery('Zanzibar'),
    asks: false,
    speaker,
    visible: visibleCondition({ viewerId: viewer, slices, filters }),
    readable: [{ id: big, openFrom: '-infinity', transcripts: true, summaries: true }],
    limit: LIMIT,
    offset,
  });
  const [sql, parameters] = statements[0] ?? ['', []];
  return planOf(client, sql, parameters);
}

function nodes(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)];
}

const scans = (plan: PlanNode): PlanNode[] =>
  nodes(plan).filter(
    (node) => node['Relation Name'] === 'recordings' || node['Node Type'].startsWith('Bitmap Index'),
  );

/** Scans below a `Limit`: the page, not the count. */
function pageScans(plan: PlanNode): PlanNode[] {
  const limited = nodes(plan).filter((node) => node['Node Type'] === 'Limit');
  return [...new Set(limited.flatMap(scans))];
}

/** The whole table is read, although less than half of it is needed. */
const wastefulScans = (plan: PlanNode): string[] =>
  scans(plan)
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Actual Rows'] * node['Actual Loops'])
    .filter((rows) => rows < 50_000)
    .map((rows) => `Seq Scan on recordings for ${rows} rows`);

/** Rows visited by one loop of a scan, including those filtered out. */
const rowsRead = (node: PlanNode): number =>
  node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
