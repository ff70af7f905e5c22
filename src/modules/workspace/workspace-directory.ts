import type { EntityManager } from 'typeorm';
import { readOrganizations, type FoundOrganization } from './organization-state.js';
import { WorkspaceError } from './workspace.error.js';
import {
  findFolderOwners,
  findOrganizationIds,
  findUserIds,
  findUsersByEmail,
  type FoundUser,
} from './workspace.queries.js';
import type { ReadWorkspace } from './workspace-reader.service.js';
import type { WorkspaceOrganization, WorkspaceUser } from './workspace.schema.js';

/**
 * What the names in a workspace file stand for: entries of the file, once they have been added, or else rows of the
 * database, which are read in a few statements, however many names there are.
 */
export class WorkspaceDirectory {
  private readonly users = new Map<string, FoundUser>();
  private readonly userIds = new Set<string>();
  private readonly organizations = new Map<string, FoundOrganization>();
  private readonly organizationsByName = new Map<string, FoundOrganization[]>();
  /** Organizations by their names in the file, which may differ from those in the database. */
  private readonly inFile = new Map<string, FoundOrganization>();
  /** The ids of the organizations of folders, by those of the folders. */
  private folderOwners: ReadonlyMap<string, string> = new Map();

  static async load(manager: EntityManager, workspace: ReadWorkspace): Promise<WorkspaceDirectory> {
    const directory = new WorkspaceDirectory();
    await directory.loadUsers(manager, workspace);
    await directory.loadOrganizations(manager, workspace);
    return directory;
  }

  private async loadUsers(
    manager: EntityManager,
    { users, organizations, recordings }: ReadWorkspace,
  ): Promise<void> {
    const emails = new Set([
      ...users.map(({ email }) => email),
      ...organizations.flatMap(({ members }) => members.map(({ email }) => email)),
      ...organizations.flatMap(({ folders }) => folders.flatMap(({ restrictedTo }) => restrictedTo ?? [])),
      ...recordings.map(({ owner }) => owner),
    ]);
    for (const { given, ...user } of await findUsersByEmail(manager, [...emails])) {
      this.users.set(given, user);
    }
    const ids = users.flatMap(({ id }) => id ?? []);
    for (const id of await findUserIds(manager, ids)) this.userIds.add(id);
  }

  private async loadOrganizations(
    manager: EntityManager,
    { organizations, recordings }: ReadWorkspace,
  ): Promise<void> {
    const named = new Set([
      ...organizations.map(({ name }) => name),
      ...recordings.flatMap(({ organization }) => organization ?? []),
    ]);
    const given = organizations.flatMap(({ id }) => id ?? []);
    const ids = await findOrganizationIds(manager, given, [...named]);
    const found = await readOrganizations(manager, ids);
    for (const organization of found) {
      this.organizations.set(organization.id, organization);
      if (organization.deletedAt !== null) continue;
      const namesakes = this.organizationsByName.get(organization.name) ?? [];
      this.organizationsByName.set(organization.name, [...namesakes, organization]);
    }
    const folders = organizations.flatMap((organization) =>
      organization.folders.flatMap(({ id }) => id ?? []),
    );
    this.folderOwners = await findFolderOwners(manager, folders);
  }

  /** Returns the user of an entry of the file; null if it is new. */
  findUser({ id, email }: WorkspaceUser, at: string): FoundUser | null {
    const found = this.user(email);
    if (found && id && found.id !== id) {
      throw new WorkspaceError([`${at}.id: "${email}" already exists with the id ${found.id}`]);
    }
    if (!found && id && this.userIds.has(id)) {
      throw new WorkspaceError([`${at}.id: already belongs to another user`]);
    }
    return found;
  }

  addUser(user: FoundUser): void {
    this.users.set(user.email.toLowerCase(), user);
  }

  user(email: string): FoundUser | null {
    return this.users.get(email) ?? this.users.get(email.toLowerCase()) ?? null;
  }

  requireUser(email: string, at: string): FoundUser {
    const user = this.user(email);
    if (!user) throw new WorkspaceError([`${at}: no user "${email}"`]);
    return user;
  }

  /** The organization of an entry of the file, by id or else by name; null if it is new. */
  findOrganization({ id, name, members }: WorkspaceOrganization, at: string): FoundOrganization | null {
    if (id === undefined) {
      const owners = members.filter(({ role }) => role === 'OWNER').map(({ email }) => this.user(email)?.id);
      return this.named(name, `${at}.name`, owners);
    }
    const found = this.organizations.get(id) ?? null;
    if (found && found.deletedAt !== null) {
      throw new WorkspaceError([`${at}.id: this organization has been deleted`]);
    }
    return found;
  }

  addOrganization(nameInFile: string, organization: FoundOrganization): void {
    this.inFile.set(nameInFile, organization);
  }

  requireOrganization(name: string, at: string): FoundOrganization {
    const organization = this.inFile.get(name) ?? this.named(name, at);
    if (!organization) throw new WorkspaceError([`${at}: no organization "${name}"`]);
    return organization;
  }

  /**
   * The organization in the database with this name, which must be unique. Every user can give the name to one of their
   * own: if the file names OWNERs, they must share one with it. One without OWNER was imported.
   */
  private named(
    name: string,
    at: string,
    owners: readonly (string | undefined)[] = [],
  ): FoundOrganization | null {
    const namesakes = this.organizationsByName.get(name) ?? [];
    const [found, another] = namesakes.filter((one) => {
      const theirs = ownersOf(one);
      return owners.length === 0 || theirs.length === 0 || theirs.some((owner) => owners.includes(owner));
    });
    if (!found && namesakes.length > 0) {
      throw new WorkspaceError([
        `${at}: "${name}" exists, but none of its OWNERs is one in the file; give the id, that of the existing one or a new one`,
      ]);
    }
    if (another) throw new WorkspaceError([`${at}: several organizations are named "${name}"; give the id`]);
    return found ?? null;
  }

  /** The organization that has a folder with this id, also a deleted one. */
  findFolderOwner(folderId: string): string | undefined {
    return this.folderOwners.get(folderId);
  }
}

const ownersOf = ({ members }: FoundOrganization): string[] =>
  [...members].filter(([, { role }]) => role === 'OWNER').map(([userId]) => userId);
