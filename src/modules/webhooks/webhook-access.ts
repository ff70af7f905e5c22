import type { EntityManager } from 'typeorm';
import { DomainError, required } from '../../contract/domain-error.js';
import { isUuid } from '../../platform/ids.js';
import type { Caller } from '../../policy/caller.js';
import { isManager } from '../../policy/management.js';
import { reachesWebhooks } from '../../policy/reach.js';
import { Webhook } from './entities/webhook.entity.js';
import { findRole } from './webhooks.queries.js';
import { forbidden } from '../organizations/public/organization-requirements.queries.js';
import { RepeatableDecision } from '../../platform/idempotency/repeatable-decision.js';

export const OPENING = new RepeatableDecision<{ readonly id: string }>('webhook');

export const MANAGE_WEBHOOKS = 'manage the webhooks of the organization';

/** What an API key needs to decide where events are sent, or to read what was sent: also the scopes that read it. */
export const READS_WHAT_IS_SENT = [
  'webhooks:manage',
  'events:read',
  'recordings:read',
  'organizations:read',
] as const;

/**
 * The only way to a webhook: its user's, or that of the OWNERs and ADMINs of its organization. 404 `WEBHOOK_NOT_FOUND`
 * for all others, but 403 `FORBIDDEN` for other members. `lock`: nobody else changes it until the transaction ends.
 */
export async function requireWebhook(
  manager: EntityManager,
  caller: Pick<Caller, 'id' | 'apiKey'>,
  id: string,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<Webhook> {
  const webhooks = manager.getRepository(Webhook);
  const webhook = isUuid(id) ? await webhooks.findOneBy({ id }) : null;
  if (!webhook || !reachesWebhooks(caller.apiKey, webhook.organizationId))
    throw new DomainError('WEBHOOK_NOT_FOUND');
  const { userId, organizationId } = webhook;
  if (organizationId !== null) {
    const role = await findRole(manager, organizationId, caller.id, { lock });
    if (role === undefined) throw new DomainError('WEBHOOK_NOT_FOUND');
    if (!isManager(role)) throw forbidden(role, MANAGE_WEBHOOKS, isManager);
  } else if (userId !== caller.id) throw new DomainError('WEBHOOK_NOT_FOUND');
  OPENING.note({ id });
  if (!lock) return webhook;
  // After the membership, in the order of the transaction that ends one.
  const locked = await webhooks.findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  return required(locked, 'WEBHOOK_NOT_FOUND');
}
