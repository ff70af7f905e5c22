import { newId } from '../../platform/ids.js';
import { FolderMember } from '../organizations/entities/folder-member.entity.js';
import { Folder } from '../organizations/entities/folder.entity.js';
import { OrganizationMember } from '../organizations/entities/organization-member.entity.js';
import { Organization } from '../organizations/entities/organization.entity.js';
import type { ImportRun } from './import-run.js';
import type { FoundOrganization } from './organization-state.js';
import { MEMBER_DEFAULTS, ORGANIZATION_DEFAULTS } from './workspace-defaults.js';
import { WorkspaceError } from './workspace.error.js';
import type { WorkspaceFolder, WorkspaceMember, WorkspaceOrganization } from './workspace.schema.js';

/** An organization of the file that existed before, with those of its members and folders that did. */
export interface ExistingOrganization {
  readonly id: string;
  readonly at: string;
  readonly input: WorkspaceOrganization;
  readonly members: { readonly userId: string; readonly at: string; readonly input: WorkspaceMember }[];
  readonly folders: { readonly id: string; readonly at: string; readonly input: WorkspaceFolder }[];
}

/** Creates the organizations of the file with their members and folders, and adds missing ones to existing organizations. */
export async function createOrganizations(
  run: ImportRun,
  inputs: readonly WorkspaceOrganization[],
): Promise<ExistingOrganization[]> {
  const existing = new Map<string, ExistingOrganization>();
  for (const [index, input] of inputs.entries()) {
    const at = `organizations[${index}]`;
    const found = run.directory.organizationOf(input, at);
    const duplicate = found && existing.get(found.id);
    if (duplicate) throw new WorkspaceError([`${at}: is the same organization as ${duplicate.at}`]);
    const organization = found ?? (await createOrganization(run, input));
    run.directory.addOrganization(input.name, organization);
    const entry: ExistingOrganization = { id: organization.id, at, input, members: [], folders: [] };
    if (found) existing.set(found.id, entry);
    await createMembers(run, organization, entry);
    await createFolders(run, organization, entry);
  }
  return [...existing.values()];
}

async function createOrganization(
  { manager, log }: ImportRun,
  { id = newId(), name, plan = ORGANIZATION_DEFAULTS.plan, ...input }: WorkspaceOrganization,
): Promise<FoundOrganization> {
  const features = { ...ORGANIZATION_DEFAULTS.features, ...input.features };
  const { membersMayTakeRecordings = ORGANIZATION_DEFAULTS.membersMayTakeRecordings } = input;
  const { status = ORGANIZATION_DEFAULTS.subscriptionStatus, endsAt = null } = input.subscription;
  await manager.insert(Organization, {
    id,
    name,
    plan,
    subscriptionStatus: status,
    subscriptionEndsAt: endsAt,
    features,
    membersMayTakeRecordings,
  });
  log.created('organizations');
  const subscription = { status, endsAt };
  const empty = { deletedAt: null, members: new Map(), folders: new Map() };
  return { id, name, plan, subscription, features, membersMayTakeRecordings, ...empty };
}

async function createMembers(
  { manager, directory, log }: ImportRun,
  { id: organizationId, members }: FoundOrganization,
  entry: ExistingOrganization,
): Promise<void> {
  for (const [index, input] of entry.input.members.entries()) {
    const at = `${entry.at}.members[${index}]`;
    const { id: userId } = directory.requireUser(input.email, `${at}.email`);
    if (members.has(userId)) {
      entry.members.push({ userId, at, input });
      continue;
    }
    const { role } = input;
    const flags = { ...MEMBER_DEFAULTS, ...input.features };
    const { viewAllRecordings, viewFolderRecordings, ...features } = flags;
    const row = { organizationId, userId, role, features, viewAllRecordings, viewFolderRecordings };
    await manager.insert(OrganizationMember, row);
    members.set(userId, { role, flags });
    log.created('members');
  }
}

async function createFolders(
  run: ImportRun,
  organization: FoundOrganization,
  entry: ExistingOrganization,
): Promise<void> {
  const byId = new Map([...organization.folders.values()].map((folder) => [folder.id, folder]));
  const taken = new Map<string, string>();
  for (const [index, input] of entry.input.folders.entries()) {
    const at = `${entry.at}.folders[${index}]`;
    const named = organization.folders.get(input.name);
    if (named && input.id && named.id !== input.id) {
      throw new WorkspaceError([`${at}.id: "${input.name}" already exists with the id ${named.id}`]);
    }
    const found = named ?? (input.id ? byId.get(input.id) : undefined);
    if (!found && input.id && run.directory.organizationOfFolder(input.id) !== undefined) {
      throw new WorkspaceError([`${at}.id: already belongs to another folder`]);
    }
    const id = found?.id ?? input.id ?? newId();
    const duplicate = taken.get(id);
    if (duplicate) throw new WorkspaceError([`${at}: is the same folder as ${duplicate}`]);
    taken.set(id, at);
    if (found) entry.folders.push({ id, at, input });
    else await createFolder(run, organization, { ...input, id }, at);
    // Also by the name that a folder is about to get.
    const { name, active = true } = input;
    organization.folders.set(name, found ?? { id, name, active, restrictedTo: null });
  }
}

async function createFolder(
  run: ImportRun,
  organization: FoundOrganization,
  { id, name, active = true, restrictedTo = null }: WorkspaceFolder & { readonly id: string },
  at: string,
): Promise<void> {
  const { manager, log } = run;
  const organizationId = organization.id;
  await manager.insert(Folder, { id, organizationId, name, active, restricted: restrictedTo !== null });
  const named = membersNamed(run, organization, restrictedTo ?? [], at);
  await manager.insert(
    FolderMember,
    named.map((userId) => ({ folderId: id, userId, organizationId })),
  );
  log.created('folders');
}

/** The users that a folder is restricted to, each once. Requires that they are members. */
export function membersNamed(
  { directory }: Pick<ImportRun, 'directory'>,
  { members }: FoundOrganization,
  emails: readonly string[],
  at: string,
): string[] {
  const ids = emails.map((email, index) => {
    const place = `${at}.restrictedTo[${index}]`;
    const { id } = directory.requireUser(email, place);
    if (members.has(id)) return id;
    throw new WorkspaceError([`${place}: "${email}" is not a member of the organization`]);
  });
  return [...new Set(ids)];
}
