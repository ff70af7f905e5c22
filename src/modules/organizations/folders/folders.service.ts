import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { In, type DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { mapViolations, type Violations } from '../../../platform/database/database-errors.js';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { isUuid, newId } from '../../../platform/ids.js';
import type { Manager } from '../../../policy/management.js';
import { FolderMember } from '../entities/folder-member.entity.js';
import { Folder } from '../entities/folder.entity.js';
import { OrganizationMember } from '../entities/organization-member.entity.js';
import type { ListedFolderOfCaller } from '../organizations.service.js';
import { OrganizationTransactions } from '../organization-transactions.service.js';
import { addFolderMembers } from './folder-members.js';

export interface FolderChanges {
  readonly name?: string;
  readonly active?: boolean;
  /** Ids of the members it is restricted to; null: open to all members. */
  readonly restrictedTo?: readonly string[] | null;
}

const JOB = 'folders.delete';
const BATCH = 1_000;

const COUNT = 'SELECT count(*)::int AS count FROM recordings WHERE folder_id = $1';

/** Locked in the order of all other transactions. */
const MOVE_OUT = `
  WITH picked AS (SELECT id FROM recordings WHERE folder_id = $1 LIMIT ${BATCH}),
  batch AS (
    SELECT id FROM recordings WHERE id IN (SELECT id FROM picked) AND folder_id = $1 ORDER BY id FOR NO KEY UPDATE)
  UPDATE recordings r SET folder_id = NULL FROM batch WHERE r.id = batch.id`;

const EMPTY = 'SELECT FROM recordings WHERE folder_id = $1 LIMIT 1';

/** Creates, changes and deletes folders, for members who manage others. */
@Injectable()
export class FoldersService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly organizations: OrganizationTransactions,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<{ folderId: string }>(JOB, ({ folderId }, stop) => this.finishDeletion(folderId, stop));
  }

  /** 409 `CONFLICT` if the name is taken; 400 `VALIDATION_ERROR` if it is restricted to others than members. */
  async create(
    who: Manager,
    organizationId: string,
    { name, restrictedTo = null }: FolderChanges & { readonly name: string },
  ): Promise<ListedFolderOfCaller> {
    return this.organizations.manage(who, organizationId, async (manager, organization) => {
      const count = await manager.countBy(Folder, { organizationId: organization.id });
      if (count >= LIMITS.folders) {
        throw new DomainError('CONFLICT', `An organization can have at most ${LIMITS.folders} folders.`);
      }
      const folder = { id: newId(), organizationId: organization.id, name, active: true };
      const row = { ...folder, restricted: restrictedTo !== null, createdAt: this.clock.now() };
      await mapViolations(nameTaken(name), () => manager.insert(Folder, row));
      if (restrictedTo) await restrict(manager, folder, restrictedTo);
      return managed(manager, folder.id);
    });
  }

  /** Changes the given fields. Also finds inactive folders. */
  async update(
    who: Manager,
    organizationId: string,
    folderId: string,
    { name, active, restrictedTo }: FolderChanges,
  ): Promise<ListedFolderOfCaller> {
    return this.organizations.manage(who, organizationId, async (manager, organization) => {
      const folder = await findFolder(manager, organization.id, folderId);
      const columns = {
        ...(name === undefined ? {} : { name }),
        ...(active === undefined ? {} : { active }),
        ...(restrictedTo === undefined ? {} : { restricted: restrictedTo !== null }),
      };
      await mapViolations(nameTaken(name), () => manager.update(Folder, { id: folder.id }, columns));
      if (restrictedTo !== undefined) await restrict(manager, folder, restrictedTo ?? []);
      return managed(manager, folderId);
    });
  }

  /**
   * Its recordings are in no folder from now on; none is deleted. Returns how many these are. They may be more than one
   * request can move: the folder becomes inactive, which counts as none, and a job moves them out and removes it.
   */
  async delete(who: Manager, organizationId: string, folderId: string): Promise<number> {
    return this.organizations.manage(who, organizationId, async (manager, organization) => {
      const { id } = await findFolder(manager, organization.id, folderId);
      const [row]: { count: number }[] = await manager.query(COUNT, [id]);
      // The name is free again, and no other folder can have this one: names are trimmed.
      await manager.update(Folder, { id }, { active: false, name: ` ${id}`, deletedAt: this.clock.now() });
      await this.jobs.enqueue(manager, JOB, [{ folderId: id }]);
      return row?.count ?? 0;
    });
  }

  private async finishDeletion(id: string, stop: AbortSignal): Promise<void> {
    for (;;) {
      // Continued by the next attempt.
      stop.throwIfAborted();
      await this.dataSource.query(MOVE_OUT, [id]);
      const rest: object[] = await this.dataSource.query(EMPTY, [id]);
      if (rest.length === 0) break;
    }
    await this.dataSource.manager.delete(Folder, { id });
  }
}

async function findFolder(manager: EntityManager, organizationId: string, id: string): Promise<Folder> {
  const folder = isUuid(id) ? await manager.findOneBy(Folder, { id, organizationId }) : null;
  if (!folder || folder.deletedAt !== null) throw new DomainError('FOLDER_NOT_FOUND');
  return folder;
}

async function restrict(
  manager: EntityManager,
  { id: folderId, organizationId }: Pick<Folder, 'id' | 'organizationId'>,
  userIds: readonly string[],
): Promise<void> {
  const members = userIds.every(isUuid)
    ? await manager.countBy(OrganizationMember, { organizationId, userId: In([...userIds]) })
    : 0;
  if (members < userIds.length) {
    throw new DomainError('VALIDATION_ERROR', 'restricted_to: must be ids of members of the organization');
  }
  await manager.delete(FolderMember, { folderId });
  await addFolderMembers(
    manager,
    organizationId,
    userIds.map((userId) => ({ folderId, userId })),
  );
}

async function managed(manager: EntityManager, id: string): Promise<ListedFolderOfCaller> {
  const folder = await manager.findOneByOrFail(Folder, { id });
  const members = await manager.find(FolderMember, { where: { folderId: id }, order: { userId: 'ASC' } });
  return { ...folder, restrictedTo: members.map(({ userId }) => userId) };
}

const nameTaken = (name = ''): Violations => ({
  folders_organization_id_name_key: () =>
    new DomainError('CONFLICT', `The organization already has a folder named "${name}".`),
});
