/** Roles of organization members, most privileged first. */
export const ROLES = ['OWNER', 'ADMIN', 'EDITOR', 'VIEWER'] as const;
export type Role = (typeof ROLES)[number];

/** Roles of service accounts: an organization belongs to people. */
export const SERVICE_ROLES = ['ADMIN', 'EDITOR', 'VIEWER'] as const satisfies readonly Role[];
export type ServiceRole = (typeof SERVICE_ROLES)[number];

export interface RoleRules {
  /** Sees every recording of the organization, regardless of the member's view flags. */
  readonly seesAll: boolean;
  readonly changes: 'any' | 'own' | 'none';
  readonly creates: boolean;
  /** Which of these it may take out of the organization; the organization can permit `own` to those with `none`. */
  readonly takes: 'any' | 'own' | 'none';
  /** The roles that it may give, take away and invite; managing any of them includes managing folders. */
  readonly manages: readonly Role[];
}

export const ROLE_CATALOG: Readonly<Record<Role, RoleRules>> = {
  OWNER: { seesAll: true, changes: 'any', creates: true, takes: 'any', manages: ROLES },
  ADMIN: { seesAll: true, changes: 'any', creates: true, takes: 'own', manages: ['EDITOR', 'VIEWER'] },
  EDITOR: { seesAll: false, changes: 'own', creates: true, takes: 'none', manages: [] },
  VIEWER: { seesAll: false, changes: 'none', creates: false, takes: 'none', manages: [] },
};

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

export const seesWholeOrganization = (membership: Membership): boolean =>
  ROLE_CATALOG[membership.role].seesAll || membership.viewAllRecordings;

/** Who sees a recording. The list says it in SQL (`recording-scope.ts`); a property test keeps the two in agreement. */
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
