import type { EntityManager } from 'typeorm';
import { Folder } from '../organizations/entities/folder.entity.js';
import { Organization } from '../organizations/entities/organization.entity.js';
import type { User } from '../users/entities/user.entity.js';
import { findUserByEmail } from '../users/users.service.js';
import { WorkspaceError } from './workspace.error.js';

/** Resolves the names used in a workspace file against the database, including entries already imported from the file. */
export class WorkspaceReferences {
  constructor(private readonly manager: EntityManager) {}

  async user(email: string): Promise<User | null> {
    return findUserByEmail(this.manager, email);
  }

  async requireUser(email: string, at: string): Promise<User> {
    const user = await this.user(email);
    if (!user) throw new WorkspaceError([`${at}: no user "${email}"`]);
    return user;
  }

  /** The organization with this name, which must be unique. */
  async organization(name: string, at: string): Promise<Organization | null> {
    const [found, another] = await this.manager.find(Organization, { where: { name }, take: 2 });
    if (another) throw new WorkspaceError([`${at}: several organizations are named "${name}"; give the id`]);
    return found ?? null;
  }

  async requireOrganization(name: string, at: string): Promise<Organization> {
    const organization = await this.organization(name, at);
    if (!organization) throw new WorkspaceError([`${at}: no organization "${name}"`]);
    return organization;
  }

  async requireFolder(organization: Organization, name: string, at: string): Promise<Folder> {
    const folder = await this.manager.findOneBy(Folder, { organizationId: organization.id, name });
    if (!folder) throw new WorkspaceError([`${at}: no folder "${name}" in "${organization.name}"`]);
    return folder;
  }
}
