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
  /** May create recordings in the organization. */
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
