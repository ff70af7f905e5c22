import { DomainError } from '../../../contract/domain-error.js';
import { RepeatableDecision } from '../../../platform/idempotency/repeatable-decision.js';
import { explainRole, explainClients, explainKeyLife, explainProvider } from '../../../policy/advice.js';
import { ROLES, type Role } from '../../../policy/roles.js';
import type { EntityManager } from 'typeorm';
import { isUuid } from '../../../platform/ids.js';
import { isRefusedBy, reachesOrganization, reachOf, type Asker } from '../../../policy/reach.js';
import { sql } from '../../../platform/database/sql.js';

/** A member with one of the roles, whose key, with `whole`, is not limited to folders. */
export const MEMBERSHIP = new RepeatableDecision<{
  readonly organizationId: string;
  readonly whole?: true;
  readonly what?: string;
  readonly roles?: readonly Role[];
}>('membership');

/** Returns the refusal of what the role of the caller does not permit, such as `invite a member as OWNER`. */
export const forbidden = (role: Role, what: string, permits: (role: Role) => boolean): DomainError =>
  new DomainError('FORBIDDEN', explainRole(role, what, permits));

/** Refuses what the role of the caller does not permit. */
export function requireRole(
  { id: organizationId, actor }: { readonly id: string; readonly actor: { readonly role: Role } },
  what: string,
  permits: (role: Role) => boolean,
): void {
  if (!permits(actor.role)) throw forbidden(actor.role, what, permits);
  MEMBERSHIP.note({ organizationId, whole: true, what, roles: ROLES.filter(permits) });
}

export const REACHING_ONE = new RepeatableDecision<{ readonly organizationId: string }>('organization');

/**
 * Requires a key that reaches an organization: 404 `ORGANIZATION_NOT_FOUND`, or 403 `FORBIDDEN` for one that works
 * longer than the organization permits. Runs a statement only then, for the reason.
 */
export async function requireReachOfOrganization(
  manager: EntityManager,
  asker: Asker,
  organizationId: string,
): Promise<void> {
  const reach = reachOf(asker);
  if (!isUuid(organizationId)) throw new DomainError('ORGANIZATION_NOT_FOUND');
  REACHING_ONE.note({ organizationId });
  if (reachesOrganization(reach, organizationId)) return;
  if (!isRefusedBy(reach, organizationId)) throw new DomainError('ORGANIZATION_NOT_FOUND');
  const [row] = await sql(manager)<{ days: number | null; provider: string | null; clients: boolean }>`
    SELECT api_key_max_days AS days, sso_provider AS provider, oauth_clients IS NOT NULL AS clients FROM organizations WHERE id = ${organizationId}::uuid`;
  // Any of its demands may be the reason.
  const demands = [
    ...(row?.provider ? [explainProvider(row.provider)] : []),
    ...(row?.clients ? [explainClients()] : []),
    ...(typeof row?.days === 'number' ? [explainKeyLife(row.days)] : []),
  ];
  throw new DomainError('FORBIDDEN', demands.join(' ') || explainKeyLife(null));
}

/** Whether a user is an OWNER of an organization. */
export const isOwner = (manager: EntityManager, organizationId: string, userId: string): Promise<boolean> =>
  sql(manager).value<boolean>`
    SELECT EXISTS (SELECT FROM organization_members
      WHERE organization_id = ${organizationId}::uuid AND user_id = ${userId}::uuid AND role = 'OWNER')`;
