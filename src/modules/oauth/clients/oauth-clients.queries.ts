import type { EntityManager } from 'typeorm';
import { sql } from '../../../platform/database/sql.js';

/** Deletes clients that have registered themselves and were never connected, unless they are of the last day and among the `kept` latest. */
export async function deleteUnconnectedClients(
  manager: EntityManager,
  now: Date,
  kept: number,
): Promise<void> {
  await sql(manager)`
    DELETE FROM oauth_clients c
    WHERE c.dynamic AND NOT EXISTS (SELECT FROM api_keys k WHERE k.oauth_client = c.id::text)
      AND (c.created_at < ${now}::timestamptz - interval '1 day'
        OR c.created_at < (SELECT created_at FROM oauth_clients WHERE dynamic ORDER BY created_at DESC OFFSET ${kept}::int LIMIT 1))`;
}
