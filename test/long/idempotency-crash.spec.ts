import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as PostgresClient } from 'pg';
import { LEASE_SECONDS } from '../../src/platform/idempotency/idempotency.queries.js';
import { keyOf, user } from '../factories/workspace.js';
import { refusal, type Client, type Reply } from '../support/client.js';
import { create, isReplay } from '../support/idempotency.js';
import { embeddedUrl, Sandbox, until, type RunningService } from '../support/process.js';

describe('a request with an Idempotency-Key despite kill -9', () => {
  const sandbox = new Sandbox();
  let settings: { DATA_DIR: string; DEMO: string };
  let service: RunningService;
  let postgres: PostgresClient;

  beforeAll(async () => {
    settings = { DATA_DIR: await sandbox.folder(), DEMO: 'false' };
    await sandbox.importInto(settings, { users: [user('Ada')] });
    service = await sandbox.start(settings);
    postgres = new PostgresClient({ connectionString: embeddedUrl(settings.DATA_DIR) });
    await postgres.connect();
  }, 120_000);
  afterEach(() => postgres.query('DROP FUNCTION IF EXISTS hold CASCADE'));
  afterAll(async () => {
    await postgres.end();
    await sandbox.cleanUp();
  });

  const ada = (): Client => service.api.as(keyOf('Ada'));

  /** The service dies; whoever waits for its reply gets none. */
  async function crash(): Promise<void> {
    await service.program.kill('SIGKILL');
    // PostgreSQL would finish a waiting statement without it.
    await postgres.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  }

  async function restart(): Promise<void> {
    service = await sandbox.start(settings);
  }

  const unanswered = (request: Promise<Reply>): Promise<unknown> => request.catch((error: unknown) => error);

  async function count(title: string): Promise<number> {
    const { rows } = await postgres.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM recordings WHERE title = $1',
      [title],
    );
    return rows[0]!.n;
  }

  /** Moves the end of the leases that have not ended, so that it does not matter how long a restart takes. */
  async function leasesEnd(when: 'now' | 'later'): Promise<void> {
    const seconds = when === 'now' ? 0 : 3_600;
    const { rows } = await postgres.query<{ left: number }>(
      `UPDATE idempotency_keys k SET leased_until = clock_timestamp() + make_interval(secs => $1) FROM idempotency_keys before
       WHERE k.id = before.id AND before.leased_until > clock_timestamp()
       RETURNING extract(epoch FROM before.leased_until - clock_timestamp())::float8 AS left`,
      [seconds],
    );
    if (when === 'later') for (const { left } of rows) expect(left).toBeLessThanOrEqual(LEASE_SECONDS);
  }

  /** Statements that wait for the advisory lock of the test. */
  async function waiting(): Promise<number> {
    const { rows } = await postgres.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND classid = 0 AND objid = 68 AND NOT granted",
    );
    return rows[0]!.n;
  }

  /** Such statements on a table wait until the function is dropped. */
  async function hold(
    statement: 'INSERT ON recordings' | 'UPDATE OF reply ON idempotency_keys',
  ): Promise<void> {
    await postgres.query('SELECT pg_advisory_lock(68)');
    await postgres.query(
      `CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(68); RETURN NEW; END $$`,
    );
    await postgres.query(`CREATE TRIGGER hold BEFORE ${statement} FOR EACH ROW EXECUTE FUNCTION hold()`);
  }

  async function letGo(): Promise<void> {
    await postgres.query('DROP FUNCTION hold CASCADE');
    await postgres.query('SELECT pg_advisory_unlock(68)');
  }

  it('before its changes are committed is carried out when it is repeated', async () => {
    await hold('INSERT ON recordings');
    const first = unanswered(create(ada(), 'before', 'Before'));
    await until('the request to wait', async () => (await waiting()) === 1);
    await crash();
    await leasesEnd('later');
    await letGo();
    expect(await first).toBeInstanceOf(Error);
    expect(await count('Before')).toBe(0);
    await restart();
    const early = await create(ada(), 'before', 'Before');
    expect([early.status, early.body]).toEqual([409, refusal('IDEMPOTENCY_KEY_IN_USE')]);
    await leasesEnd('now');
    const reply = await create(ada(), 'before', 'Before');
    expect([reply.status, isReplay(reply)]).toEqual([201, false]);
    expect(await count('Before')).toBe(1);
    expect((await create(ada(), 'before', 'Before')).body).toEqual(reply.body);
  });

  it('between its changes and its reply is not carried out again', async () => {
    await hold('UPDATE OF reply ON idempotency_keys');
    const first = unanswered(create(ada(), 'between', 'Between'));
    await until('the reply to wait', async () => (await waiting()) === 1);
    expect(await count('Between')).toBe(1);
    await crash();
    await letGo();
    expect(await first).toBeInstanceOf(Error);
    await restart();
    await leasesEnd('now');
    const reply = await create(ada(), 'between', 'Between');
    expect([reply.status, reply.body]).toEqual([409, refusal('IDEMPOTENCY_REPLY_LOST')]);
    expect(await count('Between')).toBe(1);
  });

  it('at any time is carried out exactly once', async () => {
    const titles = Array.from({ length: 60 }, (_, nth) => `At any time ${nth}`);
    const sent = titles.map((title) => unanswered(create(ada(), title.replaceAll(' ', '-'), title)));
    await until('some of them', async () => (await count('At any time 9')) === 1);
    await crash();
    await Promise.all(sent);
    await restart();
    await leasesEnd('now');
    const replies = await Promise.all(
      titles.map((title) => create(ada(), title.replaceAll(' ', '-'), title)),
    );
    for (const [nth, { status, body }] of replies.entries()) {
      expect(await count(titles[nth]!)).toBe(1);
      if (status !== 201) expect([status, body]).toEqual([409, refusal('IDEMPOTENCY_REPLY_LOST')]);
    }
  });
});
