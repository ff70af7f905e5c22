import { IsNull, type EntityManager } from 'typeorm';
import { Folder } from '../organizations/entities/folder.entity.js';
import { OrganizationMember } from '../organizations/entities/organization-member.entity.js';
import { Organization } from '../organizations/entities/organization.entity.js';
import type { User } from '../users/entities/user.entity.js';
import { findUserByEmail } from '../users/public/users.queries.js';
import { WorkspaceError } from './workspace.error.js';
import type { WorkspaceOrganization } from './workspace.schema.js';

/** What the names in a workspace file stand for: entries of the file, once they have been imported, or else rows. */
export class WorkspaceDirectory {
  private readonly users = new Map<string, User>();
  /** By their names in the file, which may differ from those in the database. */
  private readonly organizations = new Map<string, Organization>();
  private readonly folders = new Map<string, Folder | null>();

  constructor(private readonly manager: EntityManager) {}

  /** Only PostgreSQL knows which spellings it considers equal. */
  async user(email: string): Promise<User | null> {
    const found = this.users.get(email) ?? (await findUserByEmail(this.manager, email));
    if (found) this.users.set(email, found);
    return found;
  }

  async requireUser(email: string, at: string): Promise<User> {
    const user = await this.user(email);
    if (!user) throw new WorkspaceError([`${at}: no user "${email}"`]);
    return user;
  }

  /** Returns the organization of an entry of the file, by id or else by name; null if it is new. */
  async findOrganization({ id, name, members }: WorkspaceOrganization, at: string) {
    if (id === undefined) {
      const owners = members.filter(({ role }) => role === 'OWNER').map(({ email }) => this.user(email));
      return this.named(name, `${at}.name`, await Promise.all(owners));
    }
    const found = await this.manager.findOneBy(Organization, { id });
    if (found?.deletedAt) throw new WorkspaceError([`${at}.id: this organization has been deleted`]);
    return found;
  }

  addOrganization(nameInFile: string, organization: Organization): void {
    this.organizations.set(nameInFile, organization);
  }

  async requireOrganization(name: string, at: string): Promise<Organization> {
    const organization = this.organizations.get(name) ?? (await this.named(name, at));
    if (!organization) throw new WorkspaceError([`${at}: no organization "${name}"`]);
    this.organizations.set(name, organization);
    return organization;
  }

  /**
   * Returns the organization in the database with this name, which must be unique. Every user can give the name to one
   * of their own: if the file names OWNERs, they must share one with it. One without OWNER was imported.
   */
  private async named(name: string, at: string, owners: readonly (User | null)[] = []) {
    const namesakes = await this.manager.findBy(Organization, { name, deletedAt: IsNull() });
    const matching: Organization[] = [];
    for (const one of namesakes) {
      const ownedBy = { organizationId: one.id, role: 'OWNER' } as const;
      const theirs = owners.length === 0 ? [] : await this.manager.findBy(OrganizationMember, ownedBy);
      const isShared = theirs.some(({ userId }) => owners.some((owner) => owner?.id === userId));
      if (theirs.length === 0 || isShared) matching.push(one);
    }
    const [found, another] = matching;
    if (!found && namesakes.length > 0) {
      throw new WorkspaceError([
        `${at}: "${name}" exists, but none of its OWNERs is one in the file; give the id, that of the existing one or a new one`,
      ]);
    }
    if (another) throw new WorkspaceError([`${at}: several organizations are named "${name}"; give the id`]);
    return found ?? null;
  }

  /** Returns the folder of an organization by its name, in the file or else in the database. */
  async findFolder({ id: organizationId }: Organization, name: string): Promise<Folder | null> {
    const key = `${organizationId} ${name}`;
    const folder =
      this.folders.get(key) ??
      (await this.manager.findOneBy(Folder, { organizationId, name, deletedAt: IsNull() }));
    this.folders.set(key, folder);
    return folder;
  }

  addFolder(nameInFile: string, folder: Folder): void {
    this.folders.set(`${folder.organizationId} ${nameInFile}`, folder);
  }
}
