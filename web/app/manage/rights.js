/** @import { Schemas } from 'meeting-recording-client' */
/** @typedef {Schemas['OrganizationRole']} Role */

/** Roles, most privileged first. @type {readonly Role[]} */
const ROLES = ['OWNER', 'ADMIN', 'EDITOR', 'VIEWER'];
/** The roles that each may give, take away and invite. @type {Readonly<Record<Role, readonly Role[]>>} */
export const MANAGED = { OWNER: ROLES, ADMIN: ['EDITOR', 'VIEWER'], EDITOR: [], VIEWER: [] };
/** Whether a role manages any other, and with it the organization. @param {Role} role */
export const isManager = (role) => MANAGED[role].length > 0;

/** The roles that a member can get from somebody; people can lower their own. @param {Role} by @param {Role} from @param {boolean} isSelf */
export function rolesToGive(by, from, isSelf) {
  if (isSelf) return ROLES.slice(ROLES.indexOf(from));
  return MANAGED[by].includes(from) ? MANAGED[by] : [];
}
