import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { keyOf, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { countTitled, create, isReplay } from '../../support/idempotency.js';
import { startService, type TestService, waitingForLocks } from '../../support/service.js';

describe('requests with the same Idempotency-Key', () => {
  let service: TestService;
  let other: TestService;
  let here: Client;
  let there: Client;

  beforeAll(async () => {
    service = await startService();
    other = await startService({}, { beside: service });
    await service.import({ users: [user('Ada')] });
    here = service.api.as(keyOf('Ada'));
    there = other.api.as(keyOf('Ada'));
  });
  afterAll(async () => {
    await other.stop();
    await service.stop();
  });

  /** Creations of recordings wait until `during` has ended; returns the replies of those it leaves behind. */
  async function whileCreationsWait(during: (later: (reply: Promise<Reply>) => void) => Promise<void>) {
    const left: Promise<Reply>[] = [];
    await service.dataSource.transaction(async (manager) => {
      await manager.query('LOCK TABLE recordings IN SHARE MODE');
      await during((reply) => left.push(reply));
    });
    return Promise.all(left);
  }

  const endLease = () =>
    service.dataSource.query("UPDATE idempotency_keys SET leased_until = now() - interval '1 second'");

  it('sent at once to two processes are carried out once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const title = `Round ${round}`;
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, nth) => create(nth % 2 ? here : there, `at-once-${round}`, title)),
      );
      expect(await countTitled(service, title)).toBe(1);
      const created = replies.filter(({ status }) => status === 201);
      expect(created.filter((reply) => !isReplay(reply))).toHaveLength(1);
      expect(new Set(created.map(({ body }) => body.data.id)).size).toBe(1);
      for (const { status, body } of replies.filter((reply) => reply.status !== 201))
        expect([status, body]).toEqual([409, refusal('IDEMPOTENCY_KEY_IN_USE')]);
      const after = await create(there, `at-once-${round}`, title);
      expect([isReplay(after), after.body]).toEqual([true, created[0]!.body]);
    }
  });

  it('get 409 with Retry-After in any process while the first one is running', async () => {
    const [first] = await whileCreationsWait(async (later) => {
      later(create(here, 'running', 'Running'));
      await waitingForLocks(service, 1);
      for (const api of [here, there]) {
        const { status, body, headers } = await create(api, 'running', 'Running');
        expect([status, body]).toEqual([409, refusal('IDEMPOTENCY_KEY_IN_USE')]);
        expect(headers.get('retry-after')).toBe('1');
      }
      const different = await create(there, 'running', 'Different');
      expect([different.status, different.body]).toEqual([400, refusal('IDEMPOTENCY_KEY_REUSED')]);
    });
    expect(first!.status).toBe(201);
    expect((await create(there, 'running', 'Running')).body).toEqual(first!.body);
  });

  it('are carried out once even if a process was taken for dead and continues', async () => {
    const [paused, second] = await whileCreationsWait(async (later) => {
      later(create(here, 'paused', 'Paused'));
      await waitingForLocks(service, 1);
      await endLease();
      later(create(there, 'paused', 'Paused'));
      await waitingForLocks(service, 2);
    });
    expect([paused!.status, paused!.body]).toEqual([409, refusal('IDEMPOTENCY_KEY_IN_USE')]);
    expect([second!.status, isReplay(second!)]).toEqual([201, false]);
    expect(await countTitled(service, 'Paused')).toBe(1);
    expect((await create(here, 'paused', 'Paused')).body).toEqual(second!.body);
  });

  it('may be repeated after a failure that left nothing behind', async () => {
    await failing('recordings', 'INSERT', async () => {
      const { status, body } = await create(here, 'failed', 'Failed');
      expect([status, body]).toEqual([500, refusal('INTERNAL_ERROR')]);
    });
    const again = await create(there, 'failed', 'Failed');
    expect([again.status, isReplay(again)]).toEqual([201, false]);
  });

  it('are not carried out again if the changes of the first one are committed and its reply is lost', async () => {
    await failing('idempotency_keys', 'UPDATE OF reply', async () => {
      expect((await create(here, 'lost', 'Lost')).status).toBe(201);
    });
    const waiting = await create(there, 'lost', 'Lost');
    expect([waiting.status, waiting.body]).toEqual([409, refusal('IDEMPOTENCY_KEY_IN_USE')]);
    await endLease();
    for (const api of [here, there]) {
      const { status, body, headers } = await create(api, 'lost', 'Lost');
      expect([status, body]).toEqual([409, refusal('IDEMPOTENCY_REPLY_LOST')]);
      expect(headers.get('retry-after')).toBeNull();
    }
    expect(await countTitled(service, 'Lost')).toBe(1);
  });

  it('take two statements beside their transactions, and none without a key', async () => {
    const statements: string[] = [];
    const log = jest.spyOn(service.dataSource.logger, 'logQuery').mockImplementation((sql, _, runner) => {
      if (!runner?.isTransactionActive && sql.includes('idempotency_keys')) statements.push(sql);
    });
    await here.post('/recordings', { title: 'Unkeyed', media: 'none' });
    expect(statements).toEqual([]);
    await create(here, 'counted');
    const claiming: unknown = expect.stringMatching(/^WITH found .* INSERT INTO/s);
    const completing: unknown = expect.stringMatching(/^UPDATE idempotency_keys\s+SET reply/);
    expect(statements).toEqual([claiming, completing]);
    await create(here, 'counted');
    expect(statements.slice(2)).toEqual([claiming]);
    log.mockRestore();
  });

  /** Statements of a kind on a table fail during `work`. */
  async function failing(
    table: 'recordings' | 'idempotency_keys',
    kind: 'INSERT' | 'UPDATE OF reply',
    work: () => Promise<void>,
  ): Promise<void> {
    const { dataSource } = service;
    await dataSource.query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'for a test'; END $$`,
    );
    await dataSource.query(
      `CREATE TRIGGER fail BEFORE ${kind} ON ${table} FOR EACH ROW EXECUTE FUNCTION fail()`,
    );
    try {
      await work();
    } finally {
      await dataSource.query('DROP FUNCTION fail CASCADE');
    }
  }
});
