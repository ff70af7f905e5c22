import type { EntityManager } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { RepeatableDecision } from '../../../platform/idempotency/repeatable-decision.js';
import { isUuid } from '../../../platform/ids.js';
import { explainKeyLife } from '../../../policy/advice.js';
import { isRefusedBy, reachesOrganization, reachOf, type Asker } from '../../../policy/reach.js';

export const REACHING_ONE = new RepeatableDecision<{ readonly organizationId: string }>('organization');

/**
 * Requires a key that reaches an organization: 404 `ORGANIZATION_NOT_FOUND`, or 403 `FORBIDDEN` for one that works
 * longer than the organization permits. Runs a statement only then, for the reason.
 */
export async function requireInReach(
  manager: EntityManager,
  asker: Asker,
  organizationId: string,
): Promise<void> {
  const reach = reachOf(asker);
  if (!isUuid(organizationId)) throw new DomainError('ORGANIZATION_NOT_FOUND');
  REACHING_ONE.note({ organizationId });
  if (reachesOrganization(reach, organizationId)) return;
  if (!isRefusedBy(reach, organizationId)) throw new DomainError('ORGANIZATION_NOT_FOUND');
  const [row] = await manager.sql<{ days: number | null }[]>`
    SELECT api_key_max_days AS days FROM organizations WHERE id = ${organizationId}::uuid`;
  throw new DomainError('FORBIDDEN', explainKeyLife(row?.days ?? null));
}
