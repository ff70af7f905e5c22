import { ROLE_CATALOG, type Role } from './roles.js';

/** A member of the organization a recording belongs to, as far as seeing recordings goes. */
export interface Membership {
  readonly role: Role;
  readonly viewAllRecordings: boolean;
  readonly viewFolderRecordings: boolean;
}

/** Where a recording lies. `folder` is null when it lies in none, or in one that is inactive. */
export interface Placement {
  readonly ownerId: string | null;
  readonly organizationId: string | null;
  /** `open`: open to all members, or restricted and naming this member. */
  readonly folder: { readonly open: boolean } | null;
}

/** Whether a member sees every recording of the organization. */
export function seesWholeOrganization(membership: Membership): boolean {
  return ROLE_CATALOG[membership.role].seesAll || membership.viewAllRecordings;
}

/**
 * Who sees a recording. The list asks the same in SQL (`recording-scope.ts`); a property test on random worlds
 * holds the two together.
 */
export function canSee(viewerId: string, place: Placement, membership: Membership | null): boolean {
  if (place.organizationId === null) return place.ownerId === viewerId;
  if (membership === null) return false;
  if (seesWholeOrganization(membership) || place.ownerId === viewerId) return true;
  return membership.viewFolderRecordings && place.folder !== null && place.folder.open;
}

/** Who may change a recording that they see: PATCH, DELETE and every later write. */
export function mayChange(viewerId: string, place: Placement, membership: Membership | null): boolean {
  if (place.organizationId === null) return place.ownerId === viewerId;
  if (membership === null) return false;
  const { changes } = ROLE_CATALOG[membership.role];
  return changes === 'any' || (changes === 'own' && place.ownerId === viewerId);
}
