import { Injectable } from '@nestjs/common';
import { In, IsNull, DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { changedBy, type ChangedBy } from '../../../policy/caller.js';
import type { Role } from '../../../policy/roles.js';
import { Folder, FolderMember } from '../entities/folder.entity.js';
import { OrganizationMember } from '../entities/organization-member.entity.js';
import { addFolderMembers } from '../folders.service.js';
import { OrganizationTransactions } from '../organization-transactions.service.js';
import { DeparturesService } from './departures.service.js';
import { MembersService, requireRoomToOwn } from './members.service.js';

/** What somebody outside says about a person in an organization. */
export interface GrantedMembership {
  readonly organizationId: string;
  /** Null: nothing, any more. */
  readonly rights: { readonly role: Role; readonly folderIds: readonly string[] } | null;
  /** All restricted folders that may be granted; of others, the person keeps those that they have. */
  readonly grantable: readonly string[];
}

/** Keeps memberships as an identity provider or a directory says, which goes before what members have set. */
@Injectable()
export class GrantedMembershipsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: OrganizationTransactions,
    private readonly members: MembersService,
    private readonly departures: DeparturesService,
    private readonly logger: AppLogger,
  ) {}

  /**
   * Begins, changes or ends the membership. Ends only one that `grantedBy` has granted. What the organization must not
   * lose, its last OWNER, or cannot have, such as one member too many, is left as it is, with a line in the log.
   */
  async apply(userId: string, granted: GrantedMembership, grantedBy: string, by: ChangedBy): Promise<void> {
    const { organizationId } = granted;
    try {
      await transactionBy(this.dataSource, changedBy(by), async (manager) => {
        if (await this.transactions.lockIfExists(manager, organizationId))
          await this.applyWithin(manager, userId, granted, grantedBy);
      });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.logger.warn(
        { userId, organizationId, grantedBy, err: error },
        'a membership could not be granted',
      );
    }
  }

  /** The same in a transaction that has locked the organization. Throws what could not be done. */
  async applyWithin(
    manager: EntityManager,
    userId: string,
    { organizationId, rights, grantable }: GrantedMembership,
    grantedBy: string,
  ): Promise<void> {
    const members = manager.getRepository(OrganizationMember);
    const key = { organizationId, userId };
    const member = await members.findOneBy(key);
    if (!rights) {
      if (member?.grantedBy === grantedBy)
        await this.departures.end(manager, { ...key, role: member.role, removedBy: null });
      return;
    }
    const { role } = rights;
    if (member) {
      await this.departures.requireOtherOwner(manager, member, role);
      if (role === 'OWNER' && member.role !== 'OWNER') await requireRoomToOwn(manager, userId);
      if (member.role !== role || member.grantedBy !== grantedBy)
        await members.update(key, { role, grantedBy });
    } else {
      await this.members.join(manager, organizationId, { userId, role });
      await members.update(key, { grantedBy });
    }
    await openFolders(manager, key, { open: rights.folderIds, grantable });
  }
}

/** Opens restricted folders to a member, and closes the others that may be granted. */
async function openFolders(
  manager: EntityManager,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
  { open, grantable }: { readonly open: readonly string[]; readonly grantable: readonly string[] },
): Promise<void> {
  if (grantable.length === 0) return;
  const named = { id: In([...grantable]), organizationId, restricted: true, deletedAt: IsNull() };
  const folders = await manager.getRepository(Folder).find({ select: { id: true }, where: named });
  const known = folders.map(({ id }) => id);
  const folderMembers = manager.getRepository(FolderMember);
  const had = new Set(
    (await folderMembers.findBy({ userId, folderId: In(known) })).map(({ folderId }) => folderId),
  );
  const closed = known.filter((id) => had.has(id) && !open.includes(id));
  if (closed.length > 0) await folderMembers.delete({ userId, folderId: In(closed) });
  const opened = known.filter((id) => !had.has(id) && open.includes(id));
  await addFolderMembers(
    manager,
    organizationId,
    opened.map((folderId) => ({ folderId, userId })),
  );
}
