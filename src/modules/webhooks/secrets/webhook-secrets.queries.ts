import type { EntityManager } from 'typeorm';

/** Deletes the secrets of a webhook that have expired, and all but the latest of those that the current one replaced. */
export async function deletePreviousSecrets(
  manager: EntityManager,
  webhookId: string,
  { now, kept }: { readonly now: Date; readonly kept: number },
): Promise<void> {
  await manager.sql`
    DELETE FROM webhook_secrets WHERE webhook_id = ${webhookId} AND (expires_at <= ${now} OR id IN (
      SELECT id FROM webhook_secrets WHERE webhook_id = ${webhookId} AND expires_at IS NOT NULL
      ORDER BY expires_at DESC, id DESC OFFSET ${kept}::int))`;
}
