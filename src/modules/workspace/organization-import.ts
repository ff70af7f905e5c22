import { printable, quoteForMessage } from '../../lib/text.js';
import { mapViolations } from '../../platform/database/database-errors.js';
import { newId } from '../../platform/ids.js';
import { VIEW_FLAGS } from '../../policy/management.js';
import { FEATURES } from '../../policy/plans.js';
import { Glossary } from '../organizations/entities/glossary.entity.js';
import { FolderMember, Folder } from '../organizations/entities/folder.entity.js';
import { OrganizationMember } from '../organizations/entities/organization-member.entity.js';
import { Organization } from '../organizations/entities/organization.entity.js';
import type { MembersService } from '../organizations/members/members.service.js';
import type { ImportRun } from './import-run.js';
import { externalIdTaken, WorkspaceError } from './workspace.error.js';
import type { WorkspaceFolder, WorkspaceOrganization } from './workspace.schema.js';

/** Creates the organizations of the file with their members and folders, and adds missing ones to existing ones. */
export async function importOrganizations(
  run: ImportRun,
  inputs: readonly WorkspaceOrganization[],
  members: MembersService,
): Promise<void> {
  const places = new Map<string, string>();
  for (const [index, input] of inputs.entries()) {
    const at = `organizations[${index}]`;
    const found = await run.directory.findOrganization(input, at);
    if (found) await compareOrganization(run, found, input);
    const organization = found ?? (await createOrganization(run, input));
    requireDistinct(places, organization.id, 'organization', at);
    run.directory.addOrganization(input.name, organization);
    await importMembers(run, organization, input, at, members);
    await importFolders(run, organization, input.folders, at);
  }
}

/** What the file leaves out gets the defaults of its columns. */
async function createOrganization(run: ImportRun, input: WorkspaceOrganization): Promise<Organization> {
  const { id = newId(), name, plan = 'FREE', subscription, features, membersMayTakeRecordings } = input;
  const { externalId, metadata } = input;
  await run.manager.insert(Organization, {
    id,
    name,
    externalId,
    metadata,
    plan,
    subscriptionStatus: subscription.status,
    subscriptionEndsAt: subscription.endsAt,
    features,
    membersMayTakeRecordings,
  });
  if (input.glossary) await run.manager.insert(Glossary, { organizationId: id, terms: input.glossary.terms });
  run.created('organizations');
  return run.manager.findOneByOrFail(Organization, { id });
}

async function compareOrganization(
  run: ImportRun,
  found: Organization,
  input: WorkspaceOrganization,
): Promise<void> {
  const { name, plan, subscription, features, membersMayTakeRecordings } = input;
  const glossary = await run.manager.findOneBy(Glossary, { organizationId: found.id });
  run.compare('organizations', `organization ${quoteForMessage(found.name)}`, {
    name: [found.name, name],
    externalId: [found.externalId, input.externalId],
    metadata: [found.metadata, input.metadata],
    plan: [found.plan, plan],
    'subscription.status': [found.subscriptionStatus, subscription.status],
    'subscription.endsAt': [found.subscriptionEndsAt, subscription.endsAt],
    ...flagsOf(FEATURES, found.features, features),
    membersMayTakeRecordings: [found.membersMayTakeRecordings, membersMayTakeRecordings],
    glossary: [glossary?.terms ?? [], input.glossary?.terms],
  });
}

async function importMembers(
  run: ImportRun,
  { id: organizationId, name }: Organization,
  { members: inputs }: WorkspaceOrganization,
  at: string,
  members: MembersService,
): Promise<void> {
  for (const [index, { email, role, features: flags }] of inputs.entries()) {
    const { id: userId } = await run.directory.requireUser(email, `${at}.members[${index}].email`);
    const found = await run.manager.findOneBy(OrganizationMember, { organizationId, userId });
    if (found) {
      run.compare('members', `member ${printable(email)} of ${quoteForMessage(name)}`, {
        role: [found.role, role],
        ...flagsOf([...FEATURES, ...VIEW_FLAGS], { ...found, ...found.features }, flags),
      });
    } else {
      await members.join(run.manager, organizationId, { userId, role, flags });
      run.created('members');
    }
  }
}

async function importFolders(
  run: ImportRun,
  organization: Organization,
  inputs: readonly WorkspaceFolder[],
  organizationAt: string,
): Promise<void> {
  const places = new Map<string, string>();
  for (const [index, input] of inputs.entries()) {
    const at = `${organizationAt}.folders[${index}]`;
    const found = await findFolder(run, organization, input, at);
    if (found) await compareFolder(run, organization, found, input);
    const folder = found ?? (await createFolder(run, organization, input, at));
    requireDistinct(places, folder.id, 'folder', at);
    // Recordings of the file refer to it by its name there.
    run.directory.addFolder(input.name, folder);
  }
}

/** Finds the folder of an entry of the file, by name or else by id; null if it is new. */
async function findFolder(
  run: ImportRun,
  organization: Organization,
  { id, name }: WorkspaceFolder,
  at: string,
): Promise<Folder | null> {
  const named = await run.directory.findFolder(organization, name);
  if (named && id && named.id !== id) {
    throw new WorkspaceError([`${at}.id: "${name}" already exists with the id ${named.id}`]);
  }
  const found = named ?? (id ? await run.manager.findOneBy(Folder, { id }) : null);
  if (found && (found.deletedAt !== null || found.organizationId !== organization.id)) {
    throw new WorkspaceError([`${at}.id: already belongs to another folder`]);
  }
  return found;
}

async function compareFolder(
  run: ImportRun,
  organization: Organization,
  found: Folder,
  input: WorkspaceFolder,
): Promise<void> {
  const members = await run.manager.findBy(FolderMember, { folderId: found.id });
  // Somebody may have left since.
  const users = await Promise.all((input.restrictedTo ?? []).map((email) => run.directory.user(email)));
  run.compare('folders', `folder ${quoteForMessage(found.name)} of ${quoteForMessage(organization.name)}`, {
    name: [found.name, input.name],
    externalId: [found.externalId, input.externalId],
    metadata: [found.metadata, input.metadata],
    active: [found.active, input.active],
    restrictedTo: [
      found.restricted ? new Set(members.map(({ userId }) => userId)) : null,
      input.restrictedTo && new Set(users.map((user) => user?.id)),
    ],
  });
}

async function createFolder(
  run: ImportRun,
  { id: organizationId }: Organization,
  { id: folderId = newId(), name, active = true, restrictedTo, externalId, metadata }: WorkspaceFolder,
  at: string,
): Promise<Folder> {
  const { manager, directory } = run;
  const restricted = Array.isArray(restrictedTo);
  const folder = { id: folderId, name, active, organizationId, restricted, externalId, metadata };
  const taken = externalIdTaken(
    'folders_external_id_key',
    `${at}.externalId`,
    externalId,
    'folder of the organization',
  );
  await mapViolations(taken, () => manager.insert(Folder, folder));
  const userIds = new Set<string>();
  for (const [index, email] of (restrictedTo ?? []).entries()) {
    const place = `${at}.restrictedTo[${index}]`;
    const { id: userId } = await directory.requireUser(email, place);
    if (!(await manager.existsBy(OrganizationMember, { organizationId, userId }))) {
      throw new WorkspaceError([`${place}: "${email}" is not a member of the organization`]);
    }
    userIds.add(userId);
  }
  await manager.insert(
    FolderMember,
    [...userIds].map((userId) => ({ folderId, userId, organizationId })),
  );
  run.created('folders');
  return manager.findOneByOrFail(Folder, { id: folderId });
}

/** Requires that no two entries of the file are about the same. */
function requireDistinct(places: Map<string, string>, id: string, kind: string, at: string): void {
  const duplicate = places.get(id);
  if (duplicate) throw new WorkspaceError([`${at}: is the same ${kind} as ${duplicate}`]);
  places.set(id, at);
}

function flagsOf<Name extends string>(
  names: readonly Name[],
  found: Readonly<Record<Name, boolean>>,
  given: Readonly<Partial<Record<Name, boolean | undefined>>>,
): Record<string, readonly [boolean, boolean | undefined]> {
  return Object.fromEntries(names.map((name) => [`features.${name}`, [found[name], given[name]]]));
}
