import { ROLE_CATALOG, type Role } from './roles.js';

/** The membership facts that determine which recordings of the organization are visible. */
export interface Membership {
  readonly role: Role;
  readonly viewAllRecordings: boolean;
  readonly viewFolderRecordings: boolean;
}

/** Where a recording is. `folder` is null if it is in none, or in an inactive one. */
export interface Placement {
  readonly ownerId: string | null;
  readonly organizationId: string | null;
  /** `open`: open to all members, or restricted and listing this member. */
  readonly folder: { readonly id: string; readonly open: boolean } | null;
}

export function seesWholeOrganization(membership: Membership): boolean {
  return ROLE_CATALOG[membership.role].seesAll || membership.viewAllRecordings;
}

/**
 * Who sees a recording. The list expresses the same rule in SQL (`recording-scope.ts`); a property test on random
 * worlds keeps the two in agreement.
 */
export function canSee(viewerId: string, place: Placement, membership: Membership | null): boolean {
  if (place.organizationId === null) return place.ownerId === viewerId;
  if (membership === null) return false;
  if (seesWholeOrganization(membership) || place.ownerId === viewerId) return true;
  return membership.viewFolderRecordings && place.folder !== null && place.folder.open;
}

/** Whether a viewer may change a recording that they see: PATCH, DELETE and all other writes. */
export function mayChange(viewerId: string, place: Placement, membership: Membership | null): boolean {
  if (place.organizationId === null) return place.ownerId === viewerId;
  if (membership === null) return false;
  const { changes } = ROLE_CATALOG[membership.role];
  return changes === 'any' || (changes === 'own' && place.ownerId === viewerId);
}
