import { newId } from '../../platform/ids.js';
import { printable, quoteForMessage } from '../../lib/text.js';
import { VIEW_FLAGS } from '../../policy/management.js';
import { FEATURES } from '../../policy/plans.js';
import { FolderMember } from '../organizations/entities/folder-member.entity.js';
import { Folder } from '../organizations/entities/folder.entity.js';
import { OrganizationMember } from '../organizations/entities/organization-member.entity.js';
import { Organization } from '../organizations/entities/organization.entity.js';
import type { ImportRun } from './import-run.js';
import type { FoundFolder, FoundOrganization } from './organization-state.js';
import { WorkspaceError } from './workspace.error.js';
import type { WorkspaceFolder, WorkspaceMember, WorkspaceOrganization } from './workspace.schema.js';

const FEATURES_ON = { downloads: true, sharing: true, transcription: true, summaries: true, questions: true };

/** Creates the organizations of the file with their members and folders, and adds missing ones to existing ones. */
export async function importOrganizations(
  run: ImportRun,
  inputs: readonly WorkspaceOrganization[],
): Promise<void> {
  const places = new Map<string, string>();
  for (const [index, input] of inputs.entries()) {
    const at = `organizations[${index}]`;
    const found = run.directory.findOrganization(input, at);
    const duplicate = found && places.get(found.id);
    if (duplicate) throw new WorkspaceError([`${at}: is the same organization as ${duplicate}`]);
    if (found) compareOrganization(run, found, input);
    const organization = found ?? (await createOrganization(run, input));
    places.set(organization.id, at);
    run.directory.addOrganization(input.name, organization);
    await importMembers(run, organization, input.members, at);
    await importFolders(run, organization, input.folders, at);
  }
}

async function createOrganization(
  run: ImportRun,
  { id = newId(), name, plan = 'FREE', ...input }: WorkspaceOrganization,
): Promise<FoundOrganization> {
  const { membersMayTakeRecordings = false } = input;
  const { status = 'active', endsAt = null } = input.subscription;
  const organization = {
    id,
    name,
    plan,
    subscriptionStatus: status,
    subscriptionEndsAt: endsAt,
    features: { ...FEATURES_ON, ...input.features },
    membersMayTakeRecordings,
  };
  await run.manager.insert(Organization, organization);
  run.created('organizations');
  return { ...organization, apiKeyMaxDays: null, deletedAt: null, members: new Map(), folders: new Map() };
}

function compareOrganization(
  run: ImportRun,
  found: FoundOrganization,
  { name, plan, subscription, features, membersMayTakeRecordings }: WorkspaceOrganization,
): void {
  run.compare('organizations', `organization ${quoteForMessage(found.name)}`, {
    name: [found.name, name],
    plan: [found.plan, plan],
    'subscription.status': [found.subscriptionStatus, subscription.status],
    'subscription.endsAt': [found.subscriptionEndsAt, subscription.endsAt],
    ...flagsOf(FEATURES, found.features, features),
    membersMayTakeRecordings: [found.membersMayTakeRecordings, membersMayTakeRecordings],
  });
}

async function importMembers(
  run: ImportRun,
  organization: FoundOrganization,
  inputs: readonly WorkspaceMember[],
  at: string,
): Promise<void> {
  const { id: organizationId, members } = organization;
  for (const [index, { email, role, features: given }] of inputs.entries()) {
    const { id: userId } = run.directory.requireUser(email, `${at}.members[${index}].email`);
    const found = members.get(userId);
    if (found) {
      run.compare('members', `member ${printable(email)} of ${quoteForMessage(organization.name)}`, {
        role: [found.role, role],
        ...flagsOf([...FEATURES, ...VIEW_FLAGS], { ...found, ...found.features }, given),
      });
      continue;
    }
    const { viewAllRecordings = false, viewFolderRecordings = true, ...flags } = given;
    const features = { ...FEATURES_ON, ...flags };
    const member = { role, features, viewAllRecordings, viewFolderRecordings };
    await run.manager.insert(OrganizationMember, { ...member, organizationId, userId });
    members.set(userId, member);
    run.created('members');
  }
}

async function importFolders(
  run: ImportRun,
  organization: FoundOrganization,
  inputs: readonly WorkspaceFolder[],
  organizationAt: string,
): Promise<void> {
  const byId = new Map([...organization.folders.values()].map((folder) => [folder.id, folder]));
  const taken = new Map<string, string>();
  for (const [index, input] of inputs.entries()) {
    const at = `${organizationAt}.folders[${index}]`;
    const named = organization.folders.get(input.name);
    if (named && input.id && named.id !== input.id) {
      throw new WorkspaceError([`${at}.id: "${input.name}" already exists with the id ${named.id}`]);
    }
    const found = named ?? (input.id ? byId.get(input.id) : undefined);
    if (!found && input.id && run.directory.findFolderOwner(input.id) !== undefined) {
      throw new WorkspaceError([`${at}.id: already belongs to another folder`]);
    }
    if (found) {
      // Somebody may have left since.
      const restrictedTo =
        input.restrictedTo && new Set(input.restrictedTo.map((email) => run.directory.user(email)?.id));
      run.compare(
        'folders',
        `folder ${quoteForMessage(found.name)} of ${quoteForMessage(organization.name)}`,
        {
          name: [found.name, input.name],
          active: [found.active, input.active],
          restrictedTo: [found.restrictedTo, restrictedTo],
        },
      );
    }
    const folder = found ?? (await createFolder(run, organization, input, at));
    const duplicate = taken.get(folder.id);
    if (duplicate) throw new WorkspaceError([`${at}: is the same folder as ${duplicate}`]);
    taken.set(folder.id, at);
    // Recordings of the file refer to it by its name there.
    organization.folders.set(input.name, folder);
  }
}

async function createFolder(
  run: ImportRun,
  organization: FoundOrganization,
  { id = newId(), name, active = true, restrictedTo: emails }: WorkspaceFolder,
  at: string,
): Promise<FoundFolder> {
  const { id: organizationId } = organization;
  const folder = { id, name, active };
  const restrictedTo = emails ? membersNamed(run, organization, emails, at) : null;
  await run.manager.insert(Folder, { ...folder, organizationId, restricted: restrictedTo !== null });
  const members = [...(restrictedTo ?? [])].map((userId) => ({ folderId: id, userId, organizationId }));
  await run.manager.insert(FolderMember, members);
  run.created('folders');
  return { ...folder, restrictedTo };
}

/** The users that a folder is restricted to. Requires that they are members. */
function membersNamed(
  { directory }: ImportRun,
  { members }: FoundOrganization,
  emails: readonly string[],
  at: string,
): Set<string> {
  const ids = emails.map((email, index) => {
    const place = `${at}.restrictedTo[${index}]`;
    const { id } = directory.requireUser(email, place);
    if (members.has(id)) return id;
    throw new WorkspaceError([`${place}: "${email}" is not a member of the organization`]);
  });
  return new Set(ids);
}

function flagsOf<Name extends string>(
  names: readonly Name[],
  found: Readonly<Record<Name, boolean>>,
  given: Readonly<Partial<Record<Name, boolean | undefined>>>,
): Record<string, readonly [boolean, boolean | undefined]> {
  return Object.fromEntries(names.map((name) => [`features.${name}`, [found[name], given[name]]]));
}
