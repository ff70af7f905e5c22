import { DomainError } from '../../../contract/domain-error.js';
import { RepeatableDecision } from '../../../platform/idempotency/repeatable-decision.js';
import { explainRole } from '../../../policy/advice.js';
import { ROLES, type Role } from '../../../policy/roles.js';

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
