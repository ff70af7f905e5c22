import type { EntityManager } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { isUuid } from '../../platform/ids.js';
import type { Caller } from '../../policy/caller.js';
import { isManager } from '../../policy/management.js';
import type { Role } from '../../policy/roles.js';
import { Webhook } from './entities/webhook.entity.js';

/** The caller's role in the organization, unless that has been deleted. */
const RIGHTS = `
  SELECT m.role FROM organizations o
  JOIN organization_members m ON m.organization_id = o.id AND m.user_id = $2
  WHERE o.id = $1 AND o.deleted_at IS NULL`;

/** The role stays as it is until the transaction ends: losing it turns off what is enabled now. */
const LOCKED_RIGHTS = `${RIGHTS} FOR SHARE OF m`;

/**
 * The only way to a webhook: its user's, or that of the OWNERs and ADMINs of its organization. 404 `WEBHOOK_NOT_FOUND`, also for
 * those of other users and of organizations that the caller is not a member of; 403 `FORBIDDEN` for members who manage nobody.
 * `lock`: nobody else changes it until the transaction ends.
 */
export async function requireWebhook(
  manager: EntityManager,
  caller: Pick<Caller, 'id'>,
  id: string,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<Webhook> {
  const webhook = isUuid(id) ? await manager.findOneBy(Webhook, { id }) : null;
  if (!webhook) throw new DomainError('WEBHOOK_NOT_FOUND');
  const { userId, organizationId } = webhook;
  if (organizationId !== null) {
    const [member]: { role: Role }[] = await manager.query(lock ? LOCKED_RIGHTS : RIGHTS, [
      organizationId,
      caller.id,
    ]);
    if (!member) throw new DomainError('WEBHOOK_NOT_FOUND');
    if (!isManager(member.role)) throw notPermitted(member.role);
  } else if (userId !== caller.id) throw new DomainError('WEBHOOK_NOT_FOUND');
  if (!lock) return webhook;
  // After the membership, in the order of the transaction that ends one.
  const locked = await manager.findOne(Webhook, { where: { id }, lock: { mode: 'for_no_key_update' } });
  if (!locked) throw new DomainError('WEBHOOK_NOT_FOUND');
  return locked;
}

export const notPermitted = (role: Role): DomainError =>
  new DomainError('FORBIDDEN', `The role ${role} cannot manage the webhooks of the organization.`);
