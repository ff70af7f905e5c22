import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { withStrictest } from '../../src/modules/retention/ends/public/retention-ends.queries.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { sql } from '../../src/platform/database/sql.js';
import type { Plan } from '../../src/policy/plans.js';
import {
  organizationRules,
  personalRules,
  type OrganizationRule,
  type RetentionCaps,
} from '../../src/policy/retention.js';
import { insertRows, recordingRow, userRows } from '../factories/worlds.js';
import { id } from '../factories/workspace.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

const NOW = new Date('2026-06-15T12:00:00.000Z');
const DAY = 24 * 60 * 60 * 1000;
const daysAgo = (days: number): string => new Date(NOW.getTime() - days * DAY).toISOString();

const [ada, bob] = [userRows('Ada', 'PRO').user, userRows('Bob', 'FREE').user];
const [acme, sales, board] = [id(), id(), id()];
const NO_CAPS: RetentionCaps = { personal: null, plans: { FREE: null, PRO: null, ENTERPRISE: null } };
const NO_EXCEPTIONS = { titles: [], owner_ids: [], folder_ids: [] };

const rule = (overrides: Partial<OrganizationRule>): OrganizationRule => ({
  id: id(),
  removes: 'all',
  days: 30,
  counted_from: 'meeting',
  folder_id: null,
  except: NO_EXCEPTIONS,
  effective_at: daysAgo(3_000),
  ...overrides,
});
const rulesOfAcme = (rules: Partial<OrganizationRule>[], caps = NO_CAPS, plan: Plan = 'PRO') =>
  organizationRules({ id: acme, plan, noticeDays: 7, rules: rules.map(rule) }, caps);

interface Made {
  readonly transcript?: string | null;
  readonly summary?: string | null;
  /** Columns that differ from a meeting of ten days ago, with everything. */
  readonly columns?: object;
}
const IN_BIN = {
  organization_id: null,
  owner_id: null,
  folder_id: null,
  deleted_organization_id: acme,
  deleted_owner_id: ada.id,
  deleted_folder_id: sales,
  deleted_at: daysAgo(1),
  purge_at: daysAgo(-90),
};
const PERSONAL = { organization_id: null, folder_id: null };
const GONE_MEDIA = { media_key: null, source_key: null, without_media: true };

describe('what goes next of a recording', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createDatabase();
    dataSource = await new DataSource(dataSourceOptions({ url: database.url, poolSize: 2 })).initialize();
    await insertRows(dataSource, 'users', [ada, bob]);
    await dataSource.query(`INSERT INTO organizations (id, name, plan) VALUES ($1, 'Acme', 'PRO')`, [acme]);
    const folders = [sales, board].map((one, index) => {
      return { id: one, organization_id: acme, name: `Folder ${index}`, active: true, restricted: false };
    });
    await insertRows(dataSource, 'folders', folders);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  async function insert({ transcript = 'completed', summary = 'completed', columns }: Made): Promise<string> {
    const key = id();
    const row = recordingRow({
      organization_id: acme,
      owner_id: ada.id,
      folder_id: sales,
      title: 'Weekly sync',
      status: 'COMPLETED',
      created_at: daysAgo(10),
      without_media: false,
      stored_bytes: 0,
      revision: 1,
      notes: '',
      auto_transcribe: false,
      media_key: `recordings/${key}/1/media`,
      source_key: `recordings/${key}/1/source`,
      ...columns,
    });
    await insertRows(dataSource, 'recordings', [row]);
    const text = { recording_id: row.id };
    if (transcript !== null) {
      const empty = { ...text, status: transcript, speakers: [], segments_count: 0, duration: 0 };
      await insertRows(dataSource, 'transcripts', [empty]);
    }
    if (summary !== null) await insertRows(dataSource, 'summaries', [{ ...text, status: summary }]);
    return row.id;
  }

  async function decide(rules: ReturnType<typeof rulesOfAcme>, made: Made) {
    const recordingId = await insert(made);
    const [found] = await sql(dataSource)<{ rank: number; endsAt: Date; isRemovable: boolean }>`
      SELECT e.rank, e.ends_at AS "endsAt", e.is_removable AS "isRemovable"
      FROM ${withStrictest(rules)} WHERE r.id = ${recordingId}::uuid`;
    if (!found) return null;
    const inDays = (found.endsAt.getTime() - NOW.getTime()) / DAY;
    return { rule: rules[found.rank]!, inDays, isRemovable: found.isRemovable };
  }

  const except = (some: Partial<OrganizationRule['except']>) => [{ except: { ...NO_EXCEPTIONS, ...some } }];

  it.each<[string, Partial<OrganizationRule>[], Made, [string, number] | null]>([
    ['nothing without rules', [], {}, null],
    ['what a rule says, days after it was created', [{}], {}, ['all', 20]],
    ['days after the meeting ended', [{}], { columns: { ended_at: daysAgo(9) } }, ['all', 21]],
    [
      'days after the meeting began, and took its time',
      [{}],
      { columns: { started_at: daysAgo(9), duration: DAY / 2000 } },
      ['all', 21.5],
    ],
    ['what ends first', [{ days: 30 }, { removes: 'media', days: 20 }], {}, ['media', 10]],
    ['at the same time, what removes the most', [{ removes: 'media' }, { removes: 'all' }], {}, ['all', 20]],
    [
      'the rest, after the media',
      [{ days: 30 }, { removes: 'media', days: 20 }],
      { columns: GONE_MEDIA },
      ['all', 20],
    ],
    ['media that is yet to come', [{ removes: 'media' }], { columns: { media_key: null } }, ['media', 20]],
    ['nothing by a rule of another folder', [{ folder_id: board }], {}, null],
    ['what the rule of its folder says', [{ folder_id: sales }], {}, ['all', 20]],
    ['nothing of an excepted owner', except({ owner_ids: [bob.id, ada.id] }), {}, null],
    ['something of others than an excepted owner', except({ owner_ids: [bob.id] }), {}, ['all', 20]],
    [
      'something of nobody, with an excepted owner',
      except({ owner_ids: [ada.id] }),
      { columns: { owner_id: null } },
      ['all', 20],
    ],
    ['nothing in an excepted folder', except({ folder_ids: [sales] }), {}, null],
    [
      'something outside of folders, with an excepted one',
      except({ folder_ids: [sales] }),
      { columns: { folder_id: null } },
      ['all', 20],
    ],
    ['nothing with an excepted title', except({ titles: ['Board', 'wéekly SYNC'] }), {}, null],
    ['nothing with a title like an excepted one', except({ titles: ['*sync'] }), {}, null],
    ['something with a part of an excepted title', except({ titles: ['Weekly'] }), {}, ['all', 20]],
    [
      'nothing with a title in which % is meant',
      except({ titles: ['100%_*'] }),
      { columns: { title: '100%_sure' } },
      null,
    ],
    [
      'something with a title that only % as a pattern would match',
      except({ titles: ['100%_*'] }),
      { columns: { title: '1000 things' } },
      ['all', 20],
    ],
    [
      'after the last view',
      [{ counted_from: 'last_view' }],
      { columns: { viewed_at: daysAgo(3) } },
      ['all', 27],
    ],
    ['after the meeting, whatever the views', [{}], { columns: { viewed_at: daysAgo(3) } }, ['all', 20]],
    ['after the meeting without a view', [{ counted_from: 'last_view' }], {}, ['all', 20]],
    [
      'no original without a converted file',
      [{ removes: 'original', days: 0 }],
      { columns: { source_key: null } },
      null,
    ],
    ['the original at once', [{ removes: 'original', days: 0 }], {}, ['original', -10]],
    ['no transcript that is not there', [{ removes: 'transcript' }], { transcript: null }, null],
    ['no transcript in the making', [{ removes: 'transcript' }], { transcript: 'processing' }, null],
    [
      'only all of what is in the bin',
      [{ removes: 'media', days: 20 }, { days: 30 }],
      { columns: IN_BIN },
      ['all', 20],
    ],
    ['nothing in the bin of an excepted owner', except({ owner_ids: [ada.id] }), { columns: IN_BIN }, null],
    ['what the rule says of a folder, in the bin', [{ folder_id: sales }], { columns: IN_BIN }, ['all', 20]],
  ])('is %s', async (_, rules, made, expected) => {
    const found = await decide(rulesOfAcme(rules), made);
    expect(found && [found.rule.removes, found.inDays]).toEqual(expected);
  });

  it.each<[string, Made, number]>([
    ['at once with transcript and summary', {}, -10],
    ['after a day without a summary', { summary: null }, -9],
    ['after a day if the transcript fails', { transcript: 'failed' }, -9],
    ['a day after it was moved', { transcript: null, columns: { placed_at: daysAgo(0.5) } }, 0.5],
  ])('with zero days, is the media %s', async (_, made, ends) => {
    const found = await decide(rulesOfAcme([{ removes: 'media', days: 0 }]), made);
    expect([found?.rule.removes, found?.inDays]).toEqual(['media', ends]);
  });

  it.each<[string, Partial<OrganizationRule>, object, number]>([
    ['for a rule that is new', { days: 5, effective_at: daysAgo(-6) }, {}, 6],
    ['for a recording that has been moved', { days: 5 }, { placed_at: daysAgo(1) }, 4],
    [
      'for an old meeting that has been uploaded',
      { days: 300 },
      { created_at: daysAgo(0), ended_at: daysAgo(3_000) },
      7,
    ],
  ])('waits for the notice %s', async (_, one, columns, ends) => {
    expect((await decide(rulesOfAcme([one]), { columns }))?.inDays).toBe(ends);
  });

  it.each<[string, OrganizationRule['removes'], Made, boolean]>([
    ['media of a completed recording goes', 'media', {}, true],
    ['media of a failed recording goes', 'media', { columns: { status: 'ERROR' } }, true],
    ['media that is being packaged waits', 'media', { columns: { status: 'MIGRATING' } }, false],
    ['media that is being transcribed waits', 'media', { transcript: 'processing' }, false],
    ['media of a meeting that is being summarized waits', 'media', { summary: 'processing' }, false],
    ['a whole recording never waits', 'all', { columns: { status: 'RECORDING' } }, true],
  ])('%s', async (_, removes, made, expected) => {
    expect((await decide(rulesOfAcme([{ removes }]), made))?.isRemovable).toBe(expected);
  });

  it('is what the plan or the installation says, if that ends first', async () => {
    const caps = { personal: 60, plans: { FREE: 20, PRO: null, ENTERPRISE: null } };
    const personal = personalRules(caps);
    const found = [
      await decide([...personal, ...rulesOfAcme([{}], caps, 'FREE')], {}),
      await decide([...personal, ...rulesOfAcme([{}], caps)], {}),
      await decide(personal, { columns: { ...PERSONAL, owner_id: bob.id } }),
      await decide([...personal, ...rulesOfAcme([{}], caps)], { columns: PERSONAL }),
    ];
    expect(found.map((one) => one && [one.rule.source, one.inDays])).toEqual([
      ['plan', 10],
      ['organization', 20],
      ['plan', 10],
      ['installation', 50],
    ]);
  });
});
