import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as PostgresClient } from 'pg';
import { keyOf, recording, user } from '../factories/workspace.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { isSigned, WebhookReceiver } from '../support/webhook-receiver.js';
import { createdWebhook } from '../support/webhooks.js';

const EVENTS = 400;
/** A worker whose leases have not ended leaves its deliveries to others only then. */
const LEASE_MS = 60_000;

/** Every event has arrived, and nothing else has. */
function expectComplete(
  rows: readonly { readonly id: string }[],
  receiver: WebhookReceiver,
  secret: string,
): void {
  const happened = new Set(rows.map(({ id }) => id));
  const arrived = new Set(receiver.received.map(({ headers }) => headers['webhook-id'] ?? ''));
  expect([...happened].filter((id) => !arrived.has(id))).toEqual([]);
  expect([...arrived].filter((id) => !happened.has(id))).toEqual([]);
  expect(receiver.received.filter((one) => !isSigned(one, secret))).toEqual([]);
}

const HAPPENED = `SELECT change_id AS id FROM events WHERE type = 'recording.updated'`;

describe('webhooks', () => {
  let receiver: WebhookReceiver;
  let service: TestService;
  const recordings = Array.from({ length: 20 }, () => recording('Ada'));

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    receiver.behaviour = (response) => void setTimeout(() => response.writeHead(204).end(), 20);
    service = await startService({ ALLOW_PRIVATE_ADDRESSES: 'true' });
    await service.import({ users: [user('Ada')], recordings });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  /** Nobody can connect to the database for a while, and all connections are lost. */
  async function outage(seconds: number): Promise<void> {
    const url = new URL(service.databaseUrl);
    const name = url.pathname.slice(1);
    const admin = new PostgresClient({ connectionString: process.env['MRS_TEST_DATABASE_URL'] });
    await admin.connect();
    try {
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      await sleep(seconds * 1_000);
    } finally {
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      await admin.end();
    }
  }

  const count = async (sql: string): Promise<number> => {
    const rows = await service.dataSource.query<{ n: number }[]>(`SELECT count(*)::int AS n FROM ${sql}`);
    return rows[0]?.n ?? 0;
  };

  /** Causes the events, of which each recording has many. */
  async function rename(): Promise<void> {
    for (let n = 0; n < EVENTS / recordings.length; n += 1) {
      await service.dataSource.query(`UPDATE recordings SET title = 'Title ' || gen_random_uuid()`);
    }
  }

  /** Ends the leases of workers that were killed, as after a minute. */
  const leasesEnd = (): Promise<unknown> =>
    service.dataSource.query('UPDATE webhook_deliveries SET due_at = now() WHERE claim IS NOT NULL');

  const allDelivered = (events: number): Promise<void> =>
    eventually(async () => {
      expect(await count('webhook_deliveries')).toBe(events);
      expect(await count(`webhook_deliveries WHERE status <> 'delivered'`)).toBe(0);
    }, 2 * LEASE_MS);

  it('all arrive though their worker is killed again and again, and PostgreSQL goes away', async () => {
    const { secret } = await createdWebhook(service.api.as(keyOf('Ada')), {
      url: receiver.url(),
      types: ['recording.updated'],
    });
    await rename();
    for (let crash = 1; crash <= 4; crash += 1) {
      const worker = await service.startWorker();
      const before = receiver.received.length;
      await eventually(async () => expect(receiver.received.length).toBeGreaterThan(before + 20));
      await worker.kill('SIGKILL');
    }
    await leasesEnd();
    const worker = await service.startWorker();
    await allDelivered(EVENTS);
    expectComplete(await service.dataSource.query(HAPPENED), receiver, secret);
    await worker.kill('SIGTERM');

    // The same webhook, while PostgreSQL is away.
    const started = await service.startWorker();
    const before = receiver.received.length;
    await rename();
    await eventually(async () => expect(receiver.received.length).toBeGreaterThan(before + 20));
    await outage(5);
    await allDelivered(2 * EVENTS);
    expectComplete(await service.dataSource.query(HAPPENED), receiver, secret);
    await started.kill('SIGTERM');
  }, 400_000);
});
