import { Injectable } from '@nestjs/common';
import { IsNull, DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { isManager, type Actor, type Manager } from '../../policy/management.js';
import { OrganizationMember } from './entities/organization-member.entity.js';
import { Organization } from './entities/organization.entity.js';
import {
  MEMBERSHIP,
  requireRole,
  requireReachOfOrganization,
} from './public/organization-requirements.queries.js';
import { transactionBy } from '../../platform/database/transaction-by.js';
import { changedBy, type Caller } from '../../policy/caller.js';
import { requireOperator } from '../api-keys/public/key-requirements.js';
import { NOT_A_MEMBER } from '../../policy/advice.js';
import { requireWholeOrganizations } from '../../policy/reach.js';

/** An organization that no other transaction changes, and who changes it in this one. */
export interface LockedOrganization {
  readonly id: string;
  readonly actor: Actor;
}

export type OrganizationWork<T> = (manager: EntityManager, organization: LockedOrganization) => Promise<T>;

/**
 * Runs the changes of an organization one after the other, in all processes. Each reads the rights of its caller after
 * the lock, so that it decides by what the previous one left.
 */
@Injectable()
export class OrganizationTransactions {
  constructor(private readonly dataSource: DataSource) {}

  /** Runs `work` for a member: 404 `ORGANIZATION_NOT_FOUND`, or 403 `FORBIDDEN` for others. */
  async change<T>(who: Manager, organizationId: string, work: OrganizationWork<T>): Promise<T> {
    await requireReachOfOrganization(this.dataSource.manager, who, organizationId);
    requireWholeOrganizations(who, 'manage the organization');
    return transactionBy(this.dataSource, changedBy(who), async (manager) => {
      await this.lock(manager, organizationId);
      const actor = await actorOf(manager, who, organizationId);
      MEMBERSHIP.note({ organizationId, whole: true });
      return work(manager, { id: organizationId.toLowerCase(), actor });
    });
  }

  /** The same for members who manage others, and with them folders and invitations. */
  async manage<T>(who: Manager, organizationId: string, work: OrganizationWork<T>): Promise<T> {
    return this.change(who, organizationId, async (manager, organization) => {
      requireRole(organization, 'do this', isManager);
      return work(manager, organization);
    });
  }

  /** The same for an OWNER. */
  async own<T>(who: Manager, organizationId: string, work: OrganizationWork<T>): Promise<T> {
    return this.change(who, organizationId, async (manager, organization) => {
      requireRole(organization, 'do this', (role) => role === 'OWNER');
      return work(manager, organization);
    });
  }

  /** The same for an operator, who acts like an OWNER without being a member. */
  async operate<T>(who: Caller, organizationId: string, work: OrganizationWork<T>): Promise<T> {
    requireOperator(who, 'add members', 'users:manage');
    await requireReachOfOrganization(this.dataSource.manager, who, organizationId);
    return transactionBy(this.dataSource, changedBy(who), async (manager) => {
      await this.lock(manager, organizationId);
      return work(manager, { id: organizationId.toLowerCase(), actor: { userId: null, role: 'OWNER' } });
    });
  }

  /** Locks one: first in a transaction, and several in the order of their ids. */
  async lock(manager: EntityManager, organizationId: string): Promise<void> {
    if (!(await this.lockIfExists(manager, organizationId))) throw new DomainError('ORGANIZATION_NOT_FOUND');
  }

  /** The same for one that may have been deleted: false then. */
  async lockIfExists(manager: EntityManager, organizationId: string): Promise<boolean> {
    const locked = await manager.getRepository(Organization).findOne({
      select: { id: true },
      where: { id: organizationId, deletedAt: IsNull() },
      lock: { mode: 'for_no_key_update' },
    });
    return locked !== null;
  }
}

async function actorOf(manager: EntityManager, who: Manager, organizationId: string): Promise<Actor> {
  if (who.id === null) return { userId: null, role: 'OWNER' };
  const member = await manager.getRepository(OrganizationMember).findOne({
    select: { organizationId: true, userId: true, role: true },
    where: { organizationId, userId: who.id },
  });
  if (!member) throw new DomainError('FORBIDDEN', NOT_A_MEMBER);
  return { userId: who.id, role: member.role };
}
