import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../../platform/clock.js';
import { newId } from '../../../platform/ids.js';
import type { PublishedEvent } from '../../change-log/change-publishing.service.js';

/** An event that a webhook is to be sent. */
export interface QueuedEvent {
  readonly webhookId: string;
  readonly event: PublishedEvent;
}

/** Notified when something is due. */
export const DELIVERIES_CHANNEL = 'webhooks';

const BATCH = 5_000;

const INSERT = `
  INSERT INTO webhook_deliveries (id, webhook_id, event_id, position, type, audience, organization_id, recording_id, user_id, at,
                                  status, due_at, created_at)
  SELECT given.*, 'pending', $11::timestamptz, $11::timestamptz
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::uuid[], $8::uuid[], $9::uuid[],
              $10::timestamptz[]) AS given`;

const ONCE = `${INSERT} ON CONFLICT (webhook_id, event_id) DO NOTHING`;

/** What is being sent already stays as it is. */
const AGAIN = `${INSERT} ON CONFLICT (webhook_id, event_id) DO UPDATE
  SET status = 'pending', tries = 0, due_at = excluded.due_at, ended_at = NULL WHERE webhook_deliveries.claim IS NULL`;

const NOTIFY = `SELECT pg_notify('${DELIVERIES_CHANNEL}', '')`;

/** Writes what webhooks are to be sent, in the transaction that decides so. */
@Injectable()
export class DeliveryQueueService {
  constructor(private readonly clock: Clock) {}

  /** At most once for each webhook and event; `again`: also what has been sent before. */
  async add(
    manager: EntityManager,
    queued: readonly QueuedEvent[],
    { again }: { readonly again: boolean },
  ): Promise<void> {
    for (let start = 0; start < queued.length; start += BATCH) {
      const rows = queued.slice(start, start + BATCH);
      const column = <T>(of: (event: PublishedEvent) => T): T[] => rows.map(({ event }) => of(event));
      await manager.query(again ? AGAIN : ONCE, [
        rows.map(() => newId()),
        rows.map(({ webhookId }) => webhookId),
        column(({ changeId }) => changeId),
        column(({ position }) => position),
        column(({ type }) => type),
        column(({ audience }) => audience),
        column(({ organizationId }) => organizationId),
        column(({ recordingId }) => recordingId),
        column(({ userId }) => userId),
        column(({ at }) => at),
        this.clock.now(),
      ]);
    }
    if (queued.length > 0) await this.notify(manager);
  }

  /** Wakes the senders of all processes once the transaction has committed. */
  async notify(manager: EntityManager): Promise<void> {
    await manager.query(NOTIFY);
  }
}
