import type { EntityManager } from 'typeorm';
import type { OrganizationsService } from '../organizations/organizations.service.js';
import type { ExportedFiles } from './export-contents.service.js';
import {
  type ExportedPerson,
  type ExportedRow,
  type ExportScope,
  findFolders,
  findGlossary,
  findMembers,
  findPeople,
  findRows,
} from './exports.queries.js';

const PAGE = 100;

/** Writes the workspace file of an export, page by page: the recordings first, then what they refer to. */
export class ExportedWorkspace {
  /** By their ids. The addresses of others are not repeated: what has the same one would be imported as theirs. */
  private readonly people = new Map<string, ExportedPerson | null>();
  private readonly addresses = new Set<string>();
  private readonly organizations = new Map<string, { readonly id: string; readonly name: string }>();

  constructor(
    private readonly manager: EntityManager,
    private readonly service: OrganizationsService,
    private readonly scope: ExportScope,
    private readonly included: ReadonlyMap<string, ExportedFiles>,
  ) {}

  async *json(): AsyncGenerator<string> {
    const { userId, organizationId } = this.scope;
    await this.meet([userId]);
    if (organizationId !== null) await this.enter(organizationId);
    const ids = [...this.included.keys()];
    let separator = '{"recordings":[\n';
    for (let from = 0; from < ids.length; from += PAGE) {
      const rows = await findRows(this.manager, ids.slice(from, from + PAGE));
      await this.meet(rows.map(({ ownerId }) => ownerId));
      for (const row of rows) {
        if (row.organizationId !== null) await this.enter(row.organizationId);
        yield separator + JSON.stringify(this.entryOf(row, this.included.get(row.id)!));
        separator = ',\n';
      }
    }
    if (separator.startsWith('{')) yield separator;
    const users = [...this.people.values()]
      .filter((person) => person !== null)
      .map(({ id, email, name, plan }) => ({
        id,
        email,
        name,
        ...(id === userId && { plan }),
      }));
    yield `\n],"organizations":${JSON.stringify([...this.organizations.values()])},"users":${JSON.stringify(users)}}\n`;
  }

  private entryOf(row: ExportedRow, { isLocked, media, transcript, summary }: ExportedFiles): object {
    const { ownerId, organizationId, folder, notes, ...fields } = row;
    return {
      ...fields,
      owner: ownerId && this.emailOf(ownerId),
      organization: organizationId && this.organizations.get(organizationId)?.name,
      folder,
      ...(!isLocked && { notes }),
      media,
      transcript,
      summary,
    };
  }

  private readonly emailOf = (id: string): string | null => this.people.get(id)?.email ?? null;

  private async meet(ids: readonly (string | null)[]): Promise<void> {
    const unknown = ids.filter((id) => id !== null && !this.people.has(id)) as string[];
    for (const id of unknown) this.people.set(id, null);
    for (const person of await findPeople(this.manager, unknown)) {
      const address = person.email.toLowerCase();
      if (this.addresses.has(address)) continue;
      this.addresses.add(address);
      this.people.set(person.id, person);
    }
  }

  /** Adds an organization: to an export of it, everybody and everything; to others, the user and where recordings are. */
  private async enter(id: string): Promise<void> {
    if (this.organizations.has(id)) return;
    const { manager } = this;
    const { userId, kind } = this.scope;
    const isWhole = kind === 'organization';
    const [details] = await this.service.findForMember(manager, { id: userId }, [id]);
    if (!details) return;
    const members = await findMembers(manager, id, isWhole ? null : userId);
    const folders = await findFolders(manager, id, isWhole ? null : [...this.included.keys()]);
    const glossary = await findGlossary(manager, id);
    await this.meet(members.map((member) => member.userId));
    const isTaken = [...this.organizations.values()].some(({ name }) => name === details.name);
    const known = (ids: readonly string[]): string[] =>
      ids.map(this.emailOf).filter((email) => email !== null);
    const entry = {
      id,
      // Recordings refer to it by its name.
      name: isTaken ? `${details.name} (${id})` : details.name,
      plan: details.plan,
      subscription: { status: details.subscriptionStatus, endsAt: details.subscriptionEndsAt },
      features: details.features,
      membersMayTakeRecordings: details.membersMayTakeRecordings,
      members: members.flatMap(({ userId: member, ...rights }) =>
        known([member]).map((email) => ({ email, ...rights })),
      ),
      folders: folders.map(({ restrictedTo, ...folder }) => ({
        ...folder,
        restrictedTo: restrictedTo && known(restrictedTo),
      })),
      ...(glossary && { glossary }),
    };
    this.organizations.set(id, entry);
  }
}
