/** Roles of an organization's members, most powerful first. */
export const ROLES = ['OWNER', 'ADMIN', 'EDITOR', 'VIEWER'] as const;
export type Role = (typeof ROLES)[number];

export interface RoleRules {
  /** Sees every recording of the organization, whatever the member's view flags say. */
  readonly seesAll: boolean;
  readonly changes: 'any' | 'own' | 'none';
  /** Creates recordings in the organization. */
  readonly creates: boolean;
}

export const ROLE_CATALOG: Readonly<Record<Role, RoleRules>> = {
  OWNER: { seesAll: true, changes: 'any', creates: true },
  ADMIN: { seesAll: true, changes: 'any', creates: true },
  EDITOR: { seesAll: false, changes: 'own', creates: true },
  VIEWER: { seesAll: false, changes: 'none', creates: false },
};
