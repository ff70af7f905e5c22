import { In, IsNull, type EntityManager } from 'typeorm';
import { FolderMember } from '../organizations/entities/folder-member.entity.js';
import { Folder } from '../organizations/entities/folder.entity.js';
import { OrganizationMember } from '../organizations/entities/organization-member.entity.js';
import { Organization } from '../organizations/entities/organization.entity.js';

export type FoundMember = Omit<OrganizationMember, 'organizationId' | 'userId' | 'createdAt'>;

export interface FoundFolder extends Pick<Folder, 'id' | 'name' | 'active'> {
  /** Ids of users; null: open to all members. */
  readonly restrictedTo: Set<string> | null;
}

/** An organization in the database with all that a workspace file says about one. */
export interface FoundOrganization extends Omit<Organization, 'createdAt'> {
  /** Members by their users. */
  readonly members: Map<string, FoundMember>;
  /** Folders by name, without deleted ones. */
  readonly folders: Map<string, FoundFolder>;
}

/** Reads organizations by id, in four statements. */
export async function readOrganizations(
  manager: EntityManager,
  ids: readonly string[],
): Promise<FoundOrganization[]> {
  const ofThese = { organizationId: In(ids) };
  const found = (await manager.findBy(Organization, { id: In(ids) })).map(
    (organization): FoundOrganization => ({ ...organization, members: new Map(), folders: new Map() }),
  );
  const byId = new Map(found.map((organization) => [organization.id, organization]));
  for (const member of await manager.findBy(OrganizationMember, ofThese)) {
    byId.get(member.organizationId)?.members.set(member.userId, member);
  }
  const restricted = new Map<string, Set<string>>();
  for (const { organizationId, id, name, active, restricted: isRestricted } of await manager.findBy(Folder, {
    ...ofThese,
    deletedAt: IsNull(),
  })) {
    const restrictedTo = isRestricted ? new Set<string>() : null;
    if (restrictedTo) restricted.set(id, restrictedTo);
    byId.get(organizationId)?.folders.set(name, { id, name, active, restrictedTo });
  }
  for (const { folderId, userId } of await manager.findBy(FolderMember, ofThese)) {
    restricted.get(folderId)?.add(userId);
  }
  return found;
}
