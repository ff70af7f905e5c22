import { ROLES, type Role } from './roles.js';

const EITHER = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Says what a role does not permit and which do, for the message of an error: `what` such as `list invitations`. */
export function explainRole(role: Role, what: string, permits: (role: Role) => boolean): string {
  return `The role ${role} cannot ${what}; that needs the role ${EITHER.format(ROLES.filter(permits))}.`;
}

/** The same for someone without any role in the organization. */
export const NOT_A_MEMBER =
  'You are not a member of this organization; an OWNER or ADMIN of it can invite you.';
