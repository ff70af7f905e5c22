import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, In, IsNull, type EntityManager, type Repository } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { mapViolations, type Violations } from '../../platform/database/database-errors.js';
import { conflict, invalid, required } from '../../contract/domain-error.js';
import { mergedMetadata } from '../../contract/external-ids.js';
import { LIMITS } from '../../contract/limits.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { isUuid, newId } from '../../platform/ids.js';
import type { GrantedRights, GrantScope } from '../../policy/grants.js';
import { isManager, type Manager } from '../../policy/management.js';
import { reachOf } from '../../policy/reach.js';
import { forbidden } from './public/organization-requirements.queries.js';
import { FolderMember, Folder } from './entities/folder.entity.js';
import { OrganizationMember } from './entities/organization-member.entity.js';
import type { CreateFolderDto, UpdateFolderDto } from './dto/folder.dto.js';
import type { NameListQuery, NamePage } from './name-list.queries.js';
import { OrganizationsService } from './organizations.service.js';
import { OrganizationTransactions } from './organization-transactions.service.js';
import {
  countRecordings,
  listFolders,
  moveSomeRecordingsOut,
  requireFreeForFolder,
  type ListedFolderOfCaller,
} from './folders.queries.js';
import { countText } from '../../lib/amounts.js';

const JOB = 'folders.delete';

/** Lists folders for members; creates, changes and deletes them for members who manage others. */
@Injectable()
export class FoldersService implements OnModuleInit {
  constructor(
    @InjectRepository(Folder) private readonly folders: Repository<Folder>,
    private readonly organizations: OrganizationsService,
    private readonly transactions: OrganizationTransactions,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<{ folderId: string }>(JOB, ({ folderId }, stop) => this.finishDeletion(folderId, stop));
  }

  /** Returns all active folders, also restricted ones: members may know their names. `all` is for managers. */
  async list(
    caller: Manager,
    organizationId: string,
    { all = false, ...query }: NameListQuery & { readonly all?: boolean } = {},
  ): Promise<NamePage<ListedFolderOfCaller>> {
    const role = await this.organizations.requireMember(caller, organizationId);
    const manages = isManager(role);
    if (all && !manages) throw forbidden(role, 'list inactive folders', isManager);
    const page = await listFolders(this.folders.manager, organizationId, {
      all,
      ids: reachOf(caller).folderIds,
      ...query,
    });
    return { ...page, rows: manages ? page.rows : page.rows.map((row) => ({ ...row, restrictedTo: null })) };
  }

  /** 409 `CONFLICT` if the name is taken; 400 `VALIDATION_ERROR` if it is restricted to others than members. */
  async create(
    who: Manager,
    organizationId: string,
    { name, restricted_to: restrictedTo = null, external_id: externalId, metadata }: CreateFolderDto,
  ): Promise<ListedFolderOfCaller> {
    return this.transactions.manage(who, organizationId, async (manager, organization) => {
      const count = await manager.getRepository(Folder).countBy({ organizationId: organization.id });
      if (count >= LIMITS.folders) {
        throw conflict(
          `An organization can have at most ${countText(LIMITS.folders)} folders; delete one first.`,
        );
      }
      const folder = {
        id: newId(),
        organizationId: organization.id,
        name,
        active: true,
        externalId,
        metadata,
      };
      const row = { ...folder, restricted: restrictedTo !== null, createdAt: this.clock.now() };
      await requireFreeForFolder(manager, folder);
      await mapViolations(nameTaken(name), () => manager.getRepository(Folder).insert(row));
      if (restrictedTo) await restrict(manager, folder, restrictedTo);
      return managed(manager, folder.id);
    });
  }

  /** Changes the given fields. Also finds inactive folders. */
  async update(
    who: Manager,
    organizationId: string,
    folderId: string,
    {
      name,
      is_active: active,
      restricted_to: restrictedTo,
      external_id: externalId,
      ...changes
    }: UpdateFolderDto,
  ): Promise<ListedFolderOfCaller> {
    return this.transactions.manage(who, organizationId, async (manager, organization) => {
      const folder = await findFolder(manager, organization.id, folderId);
      const restricted = restrictedTo === undefined ? undefined : restrictedTo !== null;
      const metadata = mergedMetadata(folder.metadata, changes.metadata);
      await requireFreeForFolder(manager, { ...folder, externalId });
      const columns = { name, active, restricted, externalId, metadata };
      await mapViolations(nameTaken(name), () =>
        manager.getRepository(Folder).update({ id: folder.id }, columns),
      );
      if (restrictedTo !== undefined) await restrict(manager, folder, restrictedTo ?? []);
      return managed(manager, folderId);
    });
  }

  /**
   * Its recordings are in no folder from now on; none is deleted. Returns how many there are. They may be more than one
   * request can move: the folder becomes inactive, which counts as none, and a job moves them out and removes it.
   */
  async delete(who: Manager, organizationId: string, folderId: string): Promise<number> {
    return this.transactions.manage(who, organizationId, async (manager, organization) => {
      const { id } = await findFolder(manager, organization.id, folderId);
      const count = await countRecordings(manager, id);
      // The name is free again, and no other folder can have this one: names are trimmed.
      const columns = { active: false, name: ` ${id}`, deletedAt: this.clock.now() };
      await manager.getRepository(Folder).update({ id }, columns);
      await this.jobs.enqueue(manager, JOB, [{ folderId: id }]);
      return count;
    });
  }

  private async finishDeletion(id: string, stop: AbortSignal): Promise<void> {
    // Continued by the next attempt.
    while ((await moveSomeRecordingsOut(this.folders.manager, id)) > 0) stop.throwIfAborted();
    await this.folders.delete({ id });
  }
}

async function findFolder(manager: EntityManager, organizationId: string, id: string): Promise<Folder> {
  const one = { id, organizationId, deletedAt: IsNull() };
  return required(isUuid(id) && (await manager.getRepository(Folder).findOneBy(one)), 'FOLDER_NOT_FOUND');
}

async function restrict(
  manager: EntityManager,
  { id: folderId, organizationId }: Pick<Folder, 'id' | 'organizationId'>,
  userIds: readonly string[],
): Promise<void> {
  const members = userIds.every(isUuid)
    ? await manager.getRepository(OrganizationMember).countBy({ organizationId, userId: In([...userIds]) })
    : 0;
  if (members < userIds.length) {
    throw invalid('restricted_to: must be ids of members of the organization');
  }
  await manager.getRepository(FolderMember).delete({ folderId });
  await addFolderMembers(
    manager,
    organizationId,
    userIds.map((userId) => ({ folderId, userId })),
  );
}

async function managed(manager: EntityManager, id: string): Promise<ListedFolderOfCaller> {
  const folder = await manager.getRepository(Folder).findOneByOrFail({ id });
  const members = await manager
    .getRepository(FolderMember)
    .find({ where: { folderId: id }, order: { userId: 'ASC' } });
  return { ...folder, restrictedTo: members.map(({ userId }) => userId) };
}

const nameTaken = (name = ''): Violations => ({
  folders_organization_id_name_key: () => conflict(`The organization already has a folder named "${name}".`),
});

/**
 * Opens restricted folders to members, in a transaction that has locked the organization. 409 `CONFLICT` if its folders
 * then name too many: the list of folders has all of these names.
 */
export async function addFolderMembers(
  manager: EntityManager,
  organizationId: string,
  named: readonly Pick<FolderMember, 'folderId' | 'userId'>[],
): Promise<void> {
  if (named.length === 0) return;
  const folderMembers = manager.getRepository(FolderMember);
  await folderMembers.insert(named.map((one) => ({ ...one, organizationId })));
  if ((await folderMembers.countBy({ organizationId })) <= LIMITS.folderMembers) return;
  throw conflict(
    `The restricted folders of an organization can list at most ${countText(LIMITS.folderMembers)} members in total; remove some from restricted_to first.`,
  );
}

/** Opens restricted folders to members, and closes the others that may be granted. */
export async function openFolders(
  manager: EntityManager,
  { organizationId, grantable }: GrantScope,
  grants: readonly (Pick<GrantedRights, 'folderIds'> & { readonly userId: string })[],
): Promise<void> {
  if (grantable.length === 0 || grants.length === 0) return;
  const named = { id: Any([...grantable]), organizationId, restricted: true, deletedAt: IsNull() };
  const folders = await manager.getRepository(Folder).find({ select: { id: true }, where: named });
  const folderMembers = manager.getRepository(FolderMember);
  const userId = Any(grants.map((grant) => grant.userId));
  const opened: Pick<FolderMember, 'folderId' | 'userId'>[] = [];
  for (const { id: folderId } of folders) {
    const had = new Set((await folderMembers.findBy({ folderId, userId })).map((one) => one.userId));
    const given = grants.filter(({ folderIds }) => folderIds.includes(folderId)).map((one) => one.userId);
    opened.push(...given.filter((id) => !had.has(id)).map((id) => ({ folderId, userId: id })));
    for (const id of given) had.delete(id);
    if (had.size > 0) await folderMembers.delete({ folderId, userId: Any([...had]) });
  }
  // One more than there may be is enough to be refused.
  await addFolderMembers(manager, organizationId, opened.slice(0, LIMITS.folderMembers + 1));
}
