import { expect } from '@jest/globals';
import { ChangePublishingService } from '../../src/modules/events/publishing/change-publishing.service.js';
import { DELIVERIES_CHANNEL } from '../../src/modules/webhooks/delivery/deliveries.queries.js';
import { SenderService } from '../../src/modules/webhooks/delivery/sender.service.js';
import { Clock } from '../../src/platform/clock/clock.js';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import type { Client, Reply } from './client.js';
import { allPublished } from './events.js';
import { eventually, startService, type TestService } from './service.js';

export interface SendingService extends TestService {
  stopSending(): Promise<void>;
  /** Runs jobs, such as emails, from now on. Calling it again does nothing. */
  startJobs(): Promise<void>;
}

/** Publishes and sends in the process of the API, whose clock a test can set. */
export async function startWithSender(settings: Record<string, string> = {}): Promise<SendingService> {
  const service = await startService({ ALLOW_PRIVATE_ADDRESSES: 'true', ...settings });
  const loops = [service.app.get(ChangePublishingService), service.app.get(SenderService)];
  for (const loop of loops) await loop.start();
  const stopSending = async (): Promise<void> => {
    for (const loop of loops) await loop.stop();
  };
  let started: Promise<void> | undefined;
  const startJobs = (): Promise<void> =>
    (started ??= stopSending().then(() => service.app.get(JobsService).start()));
  const stop = async (): Promise<void> => {
    await stopSending();
    await service.stop();
  };
  return { ...service, stop, stopSending, startJobs };
}

export type CreatedWebhook = { readonly id: string; readonly secret: string } & Record<string, unknown>;

/** A webhook for everything, unless the fields say otherwise. */
export async function createdWebhook(client: Client, fields: object): Promise<CreatedWebhook> {
  const { status, body } = await client.post('/webhooks', { types: ['*'], ...fields });
  expect([status, body.error]).toEqual([201, undefined]);
  return body.data;
}

/** Resolves once nothing is being sent and nothing is due. */
export async function allSent(service: TestService): Promise<void> {
  await allPublished(service);
  // What has become due because a test set the clock is otherwise noticed within a second.
  await service.dataSource.query(`SELECT pg_notify($1, '')`, [DELIVERIES_CHANNEL]);
  await eventually(async () => {
    const rows = await service.dataSource.query(
      `SELECT type, tries, due_at, claim FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
       WHERE status = 'pending' AND enabled AND coalesce(paused_until <= $1, true)
         AND (due_at <= $1 OR claim IS NOT NULL)`,
      [service.app.get(Clock).now()],
    );
    expect(rows).toEqual([]);
  });
}

/** The deliveries of a webhook, newest first. */
export async function deliveriesOf(client: Client, id: string, query = ''): Promise<Reply['body'][]> {
  const { status, body } = await client.get(`/webhooks/${id}/deliveries${query}`);
  expect(status).toBe(200);
  return body.data;
}
