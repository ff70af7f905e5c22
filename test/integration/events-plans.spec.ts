import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, user } from '../factories/workspace.js';
import { allPublished } from '../support/events.js';
import { fill, readsOf, rowsIn } from '../support/plans.js';
import { startService, type TestService } from '../support/service.js';

const EVENTS = 40_000;
/** Adds events: half of them of other organizations, a tenth of Ada, and some of one recording. */
const FILL = `
  INSERT INTO events (published_at, at, change_id, type, audience, organization_id, recording_id, user_id)
  SELECT now() - (${EVENTS} - n) * interval '8 seconds', now(), gen_random_uuid(),
         CASE WHEN n % 1000 = 0 THEN 'recording.completed' ELSE 'recording.updated' END, 'recording',
         CASE n % 10 WHEN 0 THEN NULL WHEN 1 THEN $1::uuid WHEN 2 THEN $2::uuid WHEN 3 THEN $1::uuid
           ELSE md5((n % 5000)::text)::uuid END,
         CASE WHEN n % 100 = 0 THEN $4::uuid ELSE gen_random_uuid() END,
         CASE WHEN n % 10 = 0 THEN $3::uuid END
  FROM generate_series(1, ${EVENTS}) AS n`;

describe('events among 40,000', () => {
  let service: TestService;
  const ada = user('Ada');
  const [acme, beta] = ['Acme', 'Beta'].map((name) =>
    organization(name, { members: [member('Ada', 'OWNER')] }),
  );
  const own = recording('Ada');

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: [ada], organizations: [acme, beta], recordings: [own] });
    await allPublished(service);
    await fill(service.dataSource, ['events'], [[FILL, [acme?.id, beta?.id, ada.id, own.id]]]);
  }, 120_000);
  afterAll(() => service.stop());

  /** Rows of events that the statements of a request read. */
  async function eventsRead(path: string): Promise<number> {
    const reads = await readsOf(
      service.dataSource,
      async () => expect((await service.api.as(keyOf('Ada')).get(path)).status).toBe(200),
      /^(?!.*unpublished).*\bFROM events\b/s,
    );
    return rowsIn(reads.filter(({ relation }) => relation === 'events'));
  }

  const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

  it.each([
    ['from the beginning', () => ''],
    ['with a limit', () => '?limit=100'],
    ['since a time', () => `?since=${hoursAgo(200)}`],
    ['of a recording', () => `?recording_id=${own.id}`],
    ['of an organization', () => `?organization_id=${acme?.id}`],
  ])('%s: a page reads a bounded number of rows, from an index', async (_, query) => {
    expect(await eventsRead(`/events${query()}`)).toBeLessThan(3 * 400 + 10);
  });

  it('of rare types: a page reads a bounded number of rows, from an index', async () => {
    expect(await eventsRead('/events?types=recording.failed')).toBeLessThan(3 * 2_000 + 10);
  });

  it('a page by cursor begins in the index where the page before it ended', async () => {
    const { body } = await service.api.as(keyOf('Ada')).get(`/events?since=${hoursAgo(100)}`);
    const { next_cursor: cursor } = body.pagination;
    expect(await eventsRead(`/events?cursor=${cursor}`)).toBeLessThan(3 * 400 + 10);
  });

  it('the progress of a recording is written without calling a trigger of the log', async () => {
    const triggers = async (change: string): Promise<readonly string[]> => {
      const [{ 'QUERY PLAN': plans }] = (await service.dataSource.query(
        `EXPLAIN (ANALYZE, FORMAT JSON) UPDATE recordings SET ${change} WHERE id = $1`,
        [own.id],
      )) as [{ 'QUERY PLAN': [{ Triggers: { 'Trigger Name': string }[] }] }];
      return plans[0].Triggers.map((trigger) => trigger['Trigger Name']);
    };
    expect(await triggers('progress = 0.5, updated_at = now()')).not.toContain('recordings_log');
    expect(await triggers(`title = 'Renamed'`)).toContain('recordings_log');
  });
});
