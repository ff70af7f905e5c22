import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { changedBy, type ChangedBy } from '../../../policy/caller.js';
import type { GrantedRights } from '../../../policy/grants.js';
import { OrganizationMember } from '../entities/organization-member.entity.js';
import { OrganizationTransactions } from '../organization-transactions.service.js';
import { DeparturesService } from './departures.service.js';
import { endOffers, MembersService, requireRoomToOwn } from './members.service.js';
import { openFolders } from './opened-folders.js';

/** What somebody outside says about a person in an organization. */
export interface GrantedMembership {
  readonly organizationId: string;
  /** Null: nothing, any more. */
  readonly rights: GrantedRights | null;
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
      if (member.role !== role) await endOffers(manager, key);
    } else {
      await this.members.join(manager, organizationId, { userId, role });
      await members.update(key, { grantedBy });
    }
    await openFolders(manager, organizationId, grantable, new Map([[userId, new Set(rights.folderIds)]]));
  }
}
