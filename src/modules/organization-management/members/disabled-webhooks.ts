import type { EntityManager } from 'typeorm';

/** A webhook of an organization that was disabled because the member responsible for it no longer manages the organization. */
export interface DisabledWebhook {
  readonly id: string;
  readonly organizationId: string;
  /** Scheme and host. */
  readonly url: string;
  readonly description: string | null;
}

const DISABLED = `
  SELECT id, organization_id AS "organizationId", url_masked AS url, description FROM webhooks
  WHERE organization_id = $1 AND created_by = $2 AND disabled_reason = 'creator_left' AND xmin = pg_current_xact_id()::xid
  ORDER BY created_at, id`;

const TAKE_OVER = 'UPDATE webhooks SET created_by = $3 WHERE organization_id = $1 AND created_by = $2';

/** Those that the trigger on memberships has disabled in this transaction. */
export async function disabledWebhooks(
  manager: EntityManager,
  organizationId: string,
  userId: string,
): Promise<DisabledWebhook[]> {
  return manager.query(DISABLED, [organizationId, userId]);
}

/** Makes another OWNER or ADMIN responsible for the webhooks of a member, before the membership ends. */
export async function takeOverWebhooks(
  manager: EntityManager,
  organizationId: string,
  from: string,
  to: string,
): Promise<void> {
  await manager.query(TAKE_OVER, [organizationId, from, to]);
}
