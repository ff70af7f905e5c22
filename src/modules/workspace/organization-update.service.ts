import { Injectable } from '@nestjs/common';
import { DomainError } from '../../contract/domain-error.js';
import { COMMAND_LINE } from '../../policy/management.js';
import { printable, quoteForMessage } from '../../platform/text.js';
import { FoldersService } from '../organization-management/folders/folders.service.js';
import { MembersService, type MemberChanges } from '../organization-management/members/members.service.js';
import { OrganizationChangesService } from '../organization-management/organization-changes.service.js';
import {
  OrganizationTransactions,
  type LockedOrganization,
} from '../organization-management/organization-transactions.service.js';
import { changesOf } from './differences.js';
import type { ImportRun } from './import-run.js';
import {
  differencesOfFolder,
  differencesOfMember,
  differencesOfOrganization,
} from './organization-differences.js';
import { membersNamed, type ExistingOrganization } from './organization-import.js';
import { readOrganizations, type FoundOrganization } from './organization-state.js';
import { WorkspaceError } from './workspace.error.js';

/** Compares the existing organizations of a workspace file, and changes them by the rules of `organization-management`. */
@Injectable()
export class OrganizationUpdateService {
  constructor(
    private readonly transactions: OrganizationTransactions,
    private readonly organizations: OrganizationChangesService,
    private readonly members: MembersService,
    private readonly folders: FoldersService,
  ) {}

  async update(run: ImportRun, entries: readonly ExistingOrganization[]): Promise<void> {
    const { manager } = run;
    const ids = entries.map(({ id }) => id);
    const state = await readOrganizations(manager, ids);
    const locked = new Map<string, LockedOrganization>();
    if (run.update) {
      const differing = entries.filter((entry) => differs(entry, state.get(entry.id)));
      for (const { id, at } of differing.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
        locked.set(id, await refusedAt(at, () => this.transactions.lockFor(manager, COMMAND_LINE, id)));
      }
      // What others changed until they were locked.
      for (const [id, found] of await readOrganizations(manager, [...locked.keys()])) state.set(id, found);
    }
    for (const entry of entries) {
      const found = state.get(entry.id);
      if (!found) throw new WorkspaceError([`${entry.at}: was deleted during the import`]);
      await this.updateOrganization(run, entry, found);
      await this.updateMembers(run, entry, found, locked.get(entry.id));
      await this.updateFolders(run, entry, found);
    }
  }

  private async updateOrganization(
    { manager, log, update }: ImportRun,
    { id, input }: ExistingOrganization,
    found: FoundOrganization,
  ): Promise<void> {
    const differences = differencesOfOrganization(input, found);
    log.existing('organizations', `organization ${quoteForMessage(found.name)}`, differences);
    const changes = changesOf(differences);
    if (update && changes) await this.organizations.write(manager, id, changes);
  }

  private async updateMembers(
    { manager, log, update }: ImportRun,
    { members }: ExistingOrganization,
    found: FoundOrganization,
    locked: LockedOrganization | undefined,
  ): Promise<void> {
    const work: { at: string; userId: string; changes: MemberChanges }[] = [];
    for (const { at, userId, input } of members) {
      const member = found.members.get(userId);
      if (!member) throw new WorkspaceError([`${at}: left the organization during the import`]);
      const differences = differencesOfMember(input, member);
      log.existing(
        'members',
        `member ${printable(input.email)} of ${quoteForMessage(found.name)}`,
        differences,
      );
      const changes = changesOf(differences);
      if (changes) work.push({ at, userId, changes });
    }
    if (!update || !locked) return;
    // New OWNERs first, so that ownership can be handed over within one file.
    for (const { at, userId, changes } of work.toSorted((one, other) => order(one) - order(other))) {
      await refusedAt(`${at}.role`, () => this.members.change(manager, locked, userId, changes));
    }
  }

  private async updateFolders(
    run: ImportRun,
    { id: organizationId, folders }: ExistingOrganization,
    found: FoundOrganization,
  ): Promise<void> {
    const byId = new Map([...found.folders.values()].map((folder) => [folder.id, folder]));
    for (const { at, id, input } of folders) {
      const folder = byId.get(id);
      if (!folder) throw new WorkspaceError([`${at}: was deleted during the import`]);
      const differences = differencesOfFolder(input, folder);
      const entry = `folder ${quoteForMessage(folder.name)} of ${quoteForMessage(found.name)}`;
      run.log.existing('folders', entry, differences);
      const changes = changesOf(differences);
      if (!run.update || !changes) continue;
      const restrictedTo = changes.restrictedTo && membersNamed(run, found, input.restrictedTo ?? [], at);
      await refusedAt(at, () =>
        this.folders.change(run.manager, { id: organizationId }, id, { ...changes, restrictedTo }),
      );
    }
  }
}

const order = ({ changes }: { readonly changes: MemberChanges }): number =>
  changes.role === 'OWNER' ? 0 : 1;

function differs(
  { input, members, folders }: ExistingOrganization,
  found: FoundOrganization | undefined,
): boolean {
  if (!found) return true;
  const byId = new Map([...found.folders.values()].map((folder) => [folder.id, folder]));
  return (
    differencesOfOrganization(input, found).length > 0 ||
    members.some(({ userId, input: member }) => {
      const now = found.members.get(userId);
      return !now || differencesOfMember(member, now).length > 0;
    }) ||
    folders.some(({ id, input: folder }) => {
      const now = byId.get(id);
      return !now || differencesOfFolder(folder, now).length > 0;
    })
  );
}

/** A rule that the change breaks is an error of the file, and ends the import as a whole. */
async function refusedAt<T>(at: string, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new WorkspaceError([`${at}: ${error.message}`], { refused: error.code !== 'VALIDATION_ERROR' });
  }
}
