import { ROLES, type Role } from './roles.js';

/** Whom somebody outside, an identity provider or a directory, lets into an organization, and as what. */
export interface GrantRow {
  readonly claim: string;
  readonly value: string;
  /** Id of the organization. */
  readonly organization: string;
  readonly role: Role;
  /** Ids of restricted folders. */
  readonly folders: readonly string[];
}

export interface GrantedRights {
  readonly role: Role;
  readonly folderIds: readonly string[];
}

/** Where rights are granted. */
export interface GrantScope {
  readonly organizationId: string;
  /** All restricted folders that may be granted there; of others, members keep those that they have. */
  readonly grantable: readonly string[];
}

/**
 * What rows give somebody who has these values, such as names of groups: the highest role and all folders of those that
 * apply; null if none does.
 */
export function rightsFrom(
  grants: readonly GrantRow[],
  organizationId: string,
  has: (grant: GrantRow) => boolean,
): GrantedRights | null {
  const applying = grants.filter((grant) => grant.organization === organizationId && has(grant));
  const role = ROLES.find((one) => applying.some((grant) => grant.role === one));
  if (role === undefined) return null;
  return { role, folderIds: [...new Set(applying.flatMap(({ folders }) => folders))] };
}

/** All restricted folders that the rows give to anybody in an organization. */
export const grantableFolders = (grants: readonly GrantRow[], organizationId: string): readonly string[] => [
  ...new Set(grants.flatMap(({ organization, folders }) => (organization === organizationId ? folders : []))),
];
