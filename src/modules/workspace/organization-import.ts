import type { EntityManager } from 'typeorm';
import { newId } from '../../platform/ids.js';
import { FolderMember } from '../organizations/entities/folder-member.entity.js';
import { Folder } from '../organizations/entities/folder.entity.js';
import { OrganizationMember } from '../organizations/entities/organization-member.entity.js';
import { Organization } from '../organizations/entities/organization.entity.js';
import { count, type ImportReport } from './import-report.js';
import { WorkspaceReferences } from './workspace-references.js';
import { WorkspaceError } from './workspace.error.js';
import type { WorkspaceOrganization } from './workspace.schema.js';

/** Creates an organization with its members and folders, or adds missing ones to an existing organization. */
export async function writeOrganization(
  manager: EntityManager,
  input: WorkspaceOrganization,
  at: string,
  report: ImportReport,
): Promise<void> {
  const existing = input.id
    ? await manager.findOneBy(Organization, { id: input.id })
    : await new WorkspaceReferences(manager).organization(input.name, `${at}.name`);
  count(report.organizations, existing);
  const id = existing?.id ?? input.id ?? newId();
  if (!existing) {
    const { name, plan, subscription, features } = input;
    await manager.insert(Organization, {
      id,
      name,
      plan,
      subscriptionStatus: subscription.status,
      subscriptionEndsAt: subscription.endsAt ?? null,
      features,
    });
  }
  for (const [index, member] of input.members.entries()) {
    await writeMember(manager, id, member, `${at}.members[${index}]`, report);
  }
  for (const [index, folder] of input.folders.entries()) {
    await writeFolder(manager, id, folder, `${at}.folders[${index}]`, report);
  }
}

async function writeMember(
  manager: EntityManager,
  organizationId: string,
  input: WorkspaceOrganization['members'][number],
  at: string,
  report: ImportReport,
): Promise<void> {
  const { id: userId } = await new WorkspaceReferences(manager).requireUser(input.email, `${at}.email`);
  const exists = await manager.existsBy(OrganizationMember, { organizationId, userId });
  count(report.members, exists);
  if (exists) return;
  const { viewAllRecordings, viewFolderRecordings, ...features } = input.features;
  await manager.insert(OrganizationMember, {
    organizationId,
    userId,
    role: input.role,
    features,
    viewAllRecordings,
    viewFolderRecordings,
  });
}

async function writeFolder(
  manager: EntityManager,
  organizationId: string,
  input: WorkspaceOrganization['folders'][number],
  at: string,
  report: ImportReport,
): Promise<void> {
  const existing = await manager.findOneBy(Folder, { organizationId, name: input.name });
  if (existing && input.id && existing.id !== input.id) {
    throw new WorkspaceError([`${at}.id: "${input.name}" already exists with the id ${existing.id}`]);
  }
  if (!existing && input.id && (await manager.existsBy(Folder, { id: input.id }))) {
    throw new WorkspaceError([`${at}.id: already belongs to another folder`]);
  }
  count(report.folders, existing);
  if (existing) return;
  const id = input.id ?? newId();
  const restricted = Array.isArray(input.restrictedTo);
  await manager.insert(Folder, { id, organizationId, name: input.name, active: input.active, restricted });
  const named = new Set<string>();
  for (const [index, email] of (input.restrictedTo ?? []).entries()) {
    const location = `${at}.restrictedTo[${index}]`;
    const { id: userId } = await new WorkspaceReferences(manager).requireUser(email, location);
    if (!(await manager.existsBy(OrganizationMember, { organizationId, userId }))) {
      throw new WorkspaceError([`${location}: "${email}" is not a member of the organization`]);
    }
    named.add(userId);
  }
  await manager.insert(
    FolderMember,
    [...named].map((userId) => ({ folderId: id, userId, organizationId })),
  );
}
