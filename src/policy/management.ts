import type { Caller } from './caller.js';
import type { FeatureFlags } from './plans.js';
import { ROLE_CATALOG, ROLES, type Role } from './roles.js';

/** What a member sees besides their own recordings. */
export const VIEW_FLAGS = ['viewAllRecordings', 'viewFolderRecordings'] as const;
export type ViewFlag = (typeof VIEW_FLAGS)[number];

/** The seven feature flags of a member. */
export type MemberFlags = FeatureFlags & Readonly<Record<ViewFlag, boolean>>;

/** Acts on any organization like an OWNER, without being a member. */
export const COMMAND_LINE = { id: null } as const;

/** Who asks for a change of an organization. */
export type Manager = Pick<Caller, 'id' | 'apiKey' | 'request'> | typeof COMMAND_LINE;

/** Who acts on an organization; the command line acts like an OWNER, without being a member (`userId` null). */
export interface Actor {
  readonly userId: string | null;
  readonly role: Role;
}

export interface ManagedMember {
  readonly userId: string;
  readonly role: Role;
}

export interface MemberChange {
  readonly role?: Role;
  readonly flags: boolean;
}

/** Whether a role manages any other, and with it the folders of the organization. */
export const isManager = (role: Role): boolean => ROLE_CATALOG[role].manages.length > 0;

/** Whether a role may give, take away and invite another. */
export const mayManage = (actor: Role, role: Role): boolean => ROLE_CATALOG[actor].manages.includes(role);

/**
 * Members may lower their own role, never raise it, and only an OWNER changes their own flags. Others are changed by
 * those who manage both the role that they have and the one that they get.
 */
export function mayChangeMember(actor: Actor, member: ManagedMember, change: MemberChange): boolean {
  const { role = member.role, flags } = change;
  if (actor.userId === member.userId)
    return ROLES.indexOf(role) >= ROLES.indexOf(member.role) && (!flags || member.role === 'OWNER');
  return mayManage(actor.role, member.role) && mayManage(actor.role, role);
}

/** Everyone may leave; others are removed by those who manage their role. */
export const mayRemoveMember = (actor: Actor, member: ManagedMember): boolean =>
  actor.userId === member.userId || mayManage(actor.role, member.role);

/** Whether the organization would be left without an OWNER. `to` is null for a member who leaves. */
export const leavesNoOwner = (from: Role, to: Role | null, owners: number): boolean =>
  from === 'OWNER' && to !== 'OWNER' && owners <= 1;
