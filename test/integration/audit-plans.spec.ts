import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, user } from '../factories/workspace.js';
import { fillChangeLog } from '../support/change-rows.js';
import { readsOf, rowsIn } from '../support/plans.js';
import { startService, type TestService } from '../support/service.js';

const ROWS = 60_000;
/** Three months. */
const EVERY_MS = (90 * 86_400_000) / ROWS;
const RECORDING = "md5('recording7')::uuid";

describe('the audit log of an organization with 60,000 changes in several months', () => {
  let service: TestService;
  const [ada, grace] = [user('Ada'), user('Grace')];
  const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Grace', 'ADMIN')] });
  const [log, mine, all] = [`/organizations/${acme.id}/audit-log`, '/me/audit-log', '/audit-log'];
  let recordingId: string;

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [ada, grace], organizations: [acme] });
    const filling = { organizationId: acme.id, actorId: ada.id, rows: ROWS, everyMs: EVERY_MS };
    await fillChangeLog(service.dataSource, filling);
    [{ id: recordingId }] = await service.dataSource.query<[{ id: string }]>(`SELECT ${RECORDING} AS id`);
    await service.dataSource.query('UPDATE users SET operator = true WHERE id = $1', [ada.id]);
    await service.dataSource.query('ANALYZE');
  }, 120_000);
  afterAll(() => service.stop());

  /** Rows that the statements of a request read from the log, and the partitions that they looked into. */
  async function cost(path: string): Promise<{ rows: number; partitions: Set<string> }> {
    const reads = await readsOf(
      service.dataSource,
      async () => expect((await service.api.as(keyOf('Ada')).get(path)).status).toBe(200),
      /change_log/,
    );
    const relations = reads.map(({ relation }) => relation);
    return {
      rows: rowsIn(reads),
      partitions: new Set(relations.filter((name) => name.startsWith('change_log'))),
    };
  }

  it.each([
    ['limit', log, '?limit=20'],
    ['a common type', log, '?limit=20&type=transcript.corrected'],
    ['a rare type', log, '?limit=20&type=member.added'],
    ['every type of two families', log, '?limit=20&type=recording.*,share_link.*'],
    ['actor', log, '?limit=20&actor_id=ADA'],
    ['an actor without rows', log, '?limit=20&actor_id=GRACE'],
    ['target', log, '?limit=20&target_id=RECORDING'],
    ['target, actor and type', log, '?limit=20&target_id=RECORDING&actor_id=ADA&type=share_link.*'],
    ['own', mine, '?limit=20'],
    ['of all', all, '?limit=20'],
    ['of all, of an actor', all, '?limit=20&actor_id=ADA'],
  ])('%s: %s%s reads little more than the page', async (_, path, query) => {
    const { rows } = await cost(path + fill(query));
    expect(rows).toBeLessThan(500);
  });

  it.each([
    ['own, of another actor', mine, '?actor_id=GRACE'],
    ['own, of a rare type', mine, '?type=member.removed'],
    ['own, of a recording', mine, '?target_id=RECORDING'],
    ['of all, of a rare type', all, '?type=member.removed'],
    ['of all, of a recording', all, '?target_id=RECORDING'],
    ['a rare type of an actor', log, '?actor_id=ADA&type=member.removed'],
  ])('%s: %s%s reads a bounded number of rows, and says that more may follow', async (_, path, query) => {
    expect((await cost(path + fill(query))).rows).toBeLessThan(25_000);
    const { body } = await service.api.as(keyOf('Ada')).get(path + fill(query));
    const { data, pagination } = body as { data: object[]; pagination: { has_more: boolean } };
    expect(data.length).toBeLessThan(50);
    expect(pagination.has_more).toBe(true);
  });

  it('finds, by cursor, all that matches such filters', async () => {
    const found: string[] = [];
    let requests = 0;
    for (let cursor: string | null = ''; cursor !== null; requests += 1) {
      const query = fill(`?target_id=RECORDING&limit=100${cursor && `&cursor=${cursor}`}`);
      const { body } = await service.api.as(keyOf('Ada')).get(mine + query);
      const page = body as { data: { id: string }[]; pagination: { next_cursor: string | null } };
      found.push(...page.data.map(({ id }) => id));
      cursor = page.pagination.next_cursor;
    }
    const expected = await service.dataSource.query<{ id: string }[]>(
      `SELECT id FROM change_log WHERE recording_id = $1 ORDER BY at DESC, id DESC`,
      [recordingId],
    );
    expect(expected.length).toBeGreaterThan(90);
    expect(found).toEqual(expected.map(({ id }) => id));
    expect(requests).toBeGreaterThan(10);
  });

  it.each([
    ['since and until', () => `${log}?since=${lastMonth(14)}&until=${lastMonth(15)}`],
    ['until', () => `${log}?until=${lastMonth(15)}`],
    ['of all, since and until', () => `${all}?since=${lastMonth(14)}&until=${lastMonth(15)}`],
    ['of all, until', () => `${all}?until=${lastMonth(15)}`],
  ])('%s: only the months asked for are read', async (_, path) => {
    const { rows, partitions } = await cost(path());
    expect(rows).toBeLessThan(500);
    expect(partitions.size).toBeLessThanOrEqual(1);
  });

  it.each([log, all])('cursor: a page by cursor begins where the previous one ended: %s', async (path) => {
    const { body } = await service.api.as(keyOf('Ada')).get(`${path}?until=${lastMonth(15)}&limit=1`);
    const { next_cursor: cursor } = (body as { pagination: { next_cursor: string } }).pagination;
    const { rows, partitions } = await cost(`${path}?limit=20&cursor=${cursor}`);
    expect(rows).toBeLessThan(500);
    expect(partitions.size).toBeLessThanOrEqual(1);
  });

  const fill = (query: string): string =>
    query.replace('ADA', ada.id).replace('GRACE', grace.id).replace('RECORDING', recordingId);
});

/** Midnight of a day of the month before this one. A page before it, in the middle of the month, has rows of no other. */
function lastMonth(day: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, day)).toISOString();
}
