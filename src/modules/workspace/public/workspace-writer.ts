import { In, IsNull, type EntityManager } from 'typeorm';
import { FolderMember, Folder } from '../../organizations/entities/folder.entity.js';
import { Glossary } from '../../organizations/entities/glossary.entity.js';
import { OrganizationMember } from '../../organizations/entities/organization-member.entity.js';
import { Organization } from '../../organizations/entities/organization.entity.js';
import { Recording } from '../../recordings/access/entities/recording.entity.js';
import { User } from '../../users/entities/user.entity.js';
import { PERSON } from '../../users/public/users.queries.js';

const PAGE = 100;

/** The files of a recording, by their paths; null for what it does not have. */
export interface WrittenFiles {
  readonly media: string | null;
  readonly transcript: string | null;
  readonly summary: string | null;
  /** Its notes are left out. */
  readonly isLocked: boolean;
}

/** For whom it is written, and with which organization as a whole; null: with none. */
interface WorkspaceScope {
  readonly userId: string;
  readonly organizationId: string | null;
}

/** Writes a workspace file, page by page: the recordings first, whose access has been decided, then what they refer to. */
export class WorkspaceWriter {
  private readonly organizations = new Map<string, Organization>();
  private readonly folders = new Map<string, Folder>();
  private readonly people = new Map<string, User>();

  constructor(
    private readonly manager: EntityManager,
    private readonly scope: WorkspaceScope,
    private readonly included: ReadonlyMap<string, WrittenFiles>,
  ) {}

  async *json(): AsyncGenerator<string> {
    const { userId, organizationId } = this.scope;
    await this.addPeople([userId]);
    await this.addOrganizations([organizationId]);
    const ids = [...this.included.keys()];
    yield '{"recordings":[';
    let separator = '\n';
    for (let from = 0; from < ids.length; from += PAGE) {
      const where = { id: In(ids.slice(from, from + PAGE)), deletedAt: IsNull() };
      const rows = await this.manager.find(Recording, { where, order: { createdAt: 'ASC', id: 'ASC' } });
      await this.addPeople(rows.map((row) => row.ownerId));
      await this.addOrganizations(rows.map((row) => row.organizationId));
      await this.addFolders(rows.map((row) => row.folderId));
      for (const row of rows) {
        yield separator + JSON.stringify(this.entryOf(row));
        separator = ',\n';
      }
    }
    const organizations: object[] = [];
    for (const one of this.organizations.values()) organizations.push(await this.withItems(one));
    const users = [...this.people.values()].map(({ id, email, name, plan, externalId, metadata }) => ({
      id,
      email,
      name,
      ...(id === userId && { plan, externalId, metadata }),
    }));
    yield `\n],"organizations":${JSON.stringify(organizations)},"users":${JSON.stringify(users)}}\n`;
  }

  private entryOf({ id, ownerId, organizationId, folderId, notes, ...row }: Recording): object {
    const { isLocked, ...files } = this.included.get(id)!;
    return {
      id,
      owner: this.people.get(ownerId ?? '')?.email ?? null,
      organization: this.organizations.get(organizationId ?? '')?.name,
      folder: this.folders.get(folderId ?? '')?.name,
      title: row.title,
      externalId: row.externalId,
      metadata: row.metadata,
      status: row.status,
      progress: row.progress,
      ...(!isLocked && { notes }),
      createdAt: row.createdAt,
      startedAt: row.startedAt,
      endedAt: row.endedAt,
      language: row.language,
      ...files,
    };
  }

  /** With everybody and everything if it is written as a whole; otherwise with the user, and where recordings are. */
  private async withItems(organization: Organization): Promise<object> {
    const { manager } = this;
    const { id: organizationId, name, externalId, metadata, plan, features } = organization;
    const isWhole = this.scope.organizationId === organizationId;
    const which = { organizationId, ...(!isWhole && { userId: this.scope.userId }) };
    const members = await manager.find(OrganizationMember, { where: which, order: { createdAt: 'ASC' } });
    await this.addPeople(members.map(({ userId }) => userId));
    const folders = isWhole
      ? await manager.findBy(Folder, { organizationId, deletedAt: IsNull() })
      : [...this.folders.values()].filter((folder) => folder.organizationId === organizationId);
    const entries: object[] = [];
    for (const folder of folders) entries.push(await this.presentFolder(folder, isWhole));
    const glossary = await manager.findOneBy(Glossary, { organizationId });
    const { subscriptionStatus: status, subscriptionEndsAt: endsAt } = organization;
    return {
      id: organizationId,
      name,
      externalId,
      metadata,
      plan,
      subscription: { status, endsAt },
      features,
      membersMayTakeRecordings: organization.membersMayTakeRecordings,
      members: members
        .filter(({ userId }) => this.people.has(userId))
        .map(({ userId, role, viewAllRecordings, viewFolderRecordings, ...member }) => ({
          email: this.people.get(userId)!.email,
          role,
          features: { ...member.features, viewAllRecordings, viewFolderRecordings },
        })),
      folders: entries,
      ...(glossary && { glossary: { terms: glossary.terms } }),
    };
  }

  private async presentFolder({ restricted, ...folder }: Folder, isWhole: boolean): Promise<object> {
    const { id, name, active, externalId, metadata } = folder;
    const readers = restricted && isWhole ? await this.manager.findBy(FolderMember, { folderId: id }) : null;
    const restrictedTo = readers?.flatMap(({ userId }) => this.people.get(userId)?.email ?? []);
    return { id, name, active, externalId, metadata, restrictedTo };
  }

  /** First those whose addresses are known to be theirs. One with the address of another would be imported as them. */
  private async addPeople(ids: readonly (string | null)[]): Promise<void> {
    const where = { id: In(unknown(this.people, ids)), ...PERSON };
    const order = { emailVerified: 'DESC', createdAt: 'ASC', id: 'ASC' } as const;
    const taken = new Set([...this.people.values()].map(({ email }) => email.toLowerCase()));
    for (const person of await this.manager.find(User, { where, order })) {
      if (!taken.has(person.email.toLowerCase())) this.people.set(person.id, person);
      taken.add(person.email.toLowerCase());
    }
  }

  private async addOrganizations(ids: readonly (string | null)[]): Promise<void> {
    const where = { id: In(unknown(this.organizations, ids)) };
    for (const one of await this.manager.findBy(Organization, where)) {
      // Recordings refer to it by its name.
      const isTaken = [...this.organizations.values()].some(({ name }) => name === one.name);
      this.organizations.set(one.id, isTaken ? { ...one, name: `${one.name} (${one.id})` } : one);
    }
  }

  private async addFolders(ids: readonly (string | null)[]): Promise<void> {
    const where = { id: In(unknown(this.folders, ids)), deletedAt: IsNull() };
    for (const one of await this.manager.findBy(Folder, where)) this.folders.set(one.id, one);
  }
}

const unknown = (known: ReadonlyMap<string, unknown>, ids: readonly (string | null)[]): string[] =>
  ids.filter((id) => id !== null && !known.has(id)) as string[];
