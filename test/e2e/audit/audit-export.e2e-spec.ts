import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { keyOf, member, organization, user } from '../../factories/workspace.js';
import { fillChangeLog } from '../../support/change-rows.js';
import { eventually, startService, type TestService } from '../../support/service.js';

const ROWS = 2_500;
/** Several times what the buffers of a connection take, by the length of their details. */
const MANY = { rows: 8_000, fields: 300 };
const PAGES = MANY.rows / 500;
type Runner = { query(sql: string, parameters?: unknown[]): Promise<unknown> };

describe('the audit log as NDJSON', () => {
  let service: TestService;
  const [ada, grace] = [user('Ada'), user('Grace')];
  const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Grace', 'ADMIN')] });
  const beta = organization('Beta', { members: [member('Ada', 'OWNER')] });
  const [log, short] = [acme, beta].map(({ id }) => `/organizations/${id}/audit-log`) as [string, string];
  const open: IncomingMessage[] = [];

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [ada, grace], organizations: [acme, beta] });
    await fillChangeLog(service.dataSource, { organizationId: acme.id, actorId: ada.id, ...MANY });
    await fillChangeLog(service.dataSource, { organizationId: beta.id, actorId: ada.id, rows: ROWS });
    await service.dataSource.query('ANALYZE');
  });
  afterEach(() => open.splice(0).forEach((response) => response.destroy()));
  afterAll(() => service.stop());

  /** A response that is not read yet. */
  async function start(name: string, path = `${log}?format=ndjson`, headers = {}): Promise<IncomingMessage> {
    const sent = request(`${service.api.base}/api/v1${path}`, {
      headers: { authorization: `Bearer ${keyOf(name)}`, ...headers },
    });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    open.push(response);
    return response;
  }

  /** Counts the pages that exports read from now on. */
  function countPages(): { readonly pages: () => number; readonly end: () => void } {
    const runner = service.dataSource.createQueryRunner();
    const spy = jest.spyOn(Object.getPrototypeOf(runner) as Runner, 'query');
    void runner.release();
    const pages = () => spy.mock.calls.filter(([sql]) => sql.includes('WITH page AS')).length;
    return { pages, end: () => spy.mockRestore() };
  }

  it('has all matching rows, newest first, one object a line, as the list has them', async () => {
    const response = await start('Ada', `${short}?type=transcript.*,recording.*,share_link.*`, {
      accept: 'application/x-ndjson',
    });
    expect(response.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect(response.headers['content-disposition']).toMatch(
      /^attachment; filename="audit-log-[\d-]+\.ndjson"$/,
    );
    let count = 0;
    let last = '~';
    const first: object[] = [];
    for await (const line of createInterface({ input: response })) {
      const entry = JSON.parse(line) as { at: string; id: string };
      const position = `${entry.at} ${entry.id}`;
      expect(position < last).toBe(true);
      last = position;
      count += 1;
      if (first.length < 50) first.push(entry);
    }
    expect(count).toBe(ROWS);
    const page = await service.api
      .as(keyOf('Ada'))
      .get(`${short}?type=transcript.*,recording.*,share_link.*`);
    expect(first).toEqual((page.body as { data: object[] }).data);
  }, 120_000);

  it('reads no further than a client takes, and stops when it goes', async () => {
    const { pages, end } = countPages();
    try {
      const response = await start('Ada');
      await eventually(async () => expect(pages()).toBeGreaterThan(0));
      const read = await settled(pages);
      expect(read).toBeLessThan(PAGES * 0.6);
      response.destroy();
      expect(await settled(pages)).toBe(read);
    } finally {
      end();
    }
  });

  it('is open at most twice for a user, until one has ended', async () => {
    const [one] = [await start('Ada'), await start('Ada')];
    const third = await service.api.as(keyOf('Ada')).get(`${log}?format=ndjson`);
    expect([third.status, third.body]).toMatchObject([429, { error: { code: 'RATE_LIMITED' } }]);
    expect(third.headers.get('retry-after')).toBe('10');
    expect((await start('Grace')).statusCode).toBe(200);
    one!.destroy();
    await eventually(async () => expect((await start('Ada')).statusCode).toBe(200));
  });

  it.each([
    ['the role', `UPDATE organization_members SET role = 'EDITOR' WHERE user_id = $1`],
    [
      'the trust in keys that never expire',
      `UPDATE organizations SET api_key_max_days = 90
       WHERE id IN (SELECT organization_id FROM organization_members WHERE user_id = $1)`,
    ],
    ['the address', `UPDATE api_keys SET addresses = '{203.0.113.0/24}' WHERE user_id = $1`],
    ['the key', 'UPDATE api_keys SET revoked_at = now() WHERE user_id = $1'],
  ])('breaks off when %s is lost', async (_, statement) => {
    const response = await start('Grace');
    await service.dataSource.query(statement, [grace.id]);
    let lines = 0;
    const reading = (async () => {
      for await (const chunk of response) lines += String(chunk).split('\n').length - 1;
    })();
    await expect(reading).rejects.toThrow(/aborted|hang up|reset/i);
    expect(lines).toBeLessThan(MANY.rows);
    await service.dataSource.query(`UPDATE organization_members SET role = 'ADMIN' WHERE user_id = $1`, [
      grace.id,
    ]);
    await service.dataSource.query('UPDATE organizations SET api_key_max_days = NULL');
    await service.dataSource.query('UPDATE api_keys SET addresses = NULL');
  });
});

/** A count, once it has stayed the same for long enough to be sure that nothing adds to it. */
async function settled(count: () => number): Promise<number> {
  for (let before = -1; ; await setTimeout(600)) {
    const now = count();
    if (now === before) return now;
    before = now;
  }
}
