import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { requireReachOfAll } from '../../api-keys/public/key-requirements.js';
import { DomainError } from '../../../contract/domain-error.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { ErasureService } from '../../erasure/erasure.service.js';
import { DeparturesService, type Departed } from '../../organizations/members/departures.service.js';
import { requireUserNotHeld } from '../../legal-holds/public/held.queries.js';
import { OrganizationTransactions } from '../../organizations/organization-transactions.service.js';
import { enqueuePurge, RECORDING_PURGES } from '../../organizations/public/recording-purges.js';
import { User } from '../entities/user.entity.js';
import {
  disownSomeRecordings,
  findMemberships,
  hasMembershipsOrRecordings,
  lockPersonalRecordings,
  type Membership,
} from './user-deletion.queries.js';
import { changedBy, type ChangedBy } from '../../../policy/caller.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import type { LeftBehind } from '../../organizations/public/departure.response.dto.js';

interface UserDeletionOptions {
  /** Id of a member of all their organizations, who becomes the owner of their recordings there. */
  readonly newOwner?: string;
  /** Id of the user who deletes them; the default for `newOwner` in organizations that both belong to. */
  readonly deletedBy?: string;
}

/** A deleted user, with what they had set up in organizations. */
export interface DeletedUser extends LeftBehind {
  readonly personalRecordings: number;
  /** Those of organizations, which have another owner now. */
  readonly handedOver: number;
  /** Ids of these owners. */
  readonly newOwners: readonly string[];
}

/** Recordings that one statement takes the owner from. */
const DISOWNED_AT_ONCE = 10_000;

/** Deletes users, at their own request or that of an operator. */
@Injectable()
export class UserDeletionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly organizations: OrganizationTransactions,
    private readonly departures: DeparturesService,
    private readonly jobs: JobsService,
    private readonly erasure: ErasureService,
  ) {}

  /**
   * Deletes the user and the share links they created. Their personal recordings, which no one else can ever see, lose
   * their owner with it; a job deletes them, since there may be more than one request can delete. Recordings of
   * organizations are kept and get another owner. The user's keys are kept too, and then get `USER_NOT_FOUND`. 409
   * `CONFLICT` for the last OWNER of an organization; 409 `LEGAL_HOLD` or
   * `CONFLICT` because of a legal hold; 401 `USER_NOT_FOUND`, or 404 `NOT_FOUND` with `deletedBy`, if
   * they have been deleted meanwhile.
   */
  async delete({ id }: Pick<User, 'id'>, options: UserDeletionOptions, by: ChangedBy): Promise<DeletedUser> {
    requireReachOfAll(by, 'delete the user');
    for (;;) {
      try {
        return await transactionBy(this.dataSource, changedBy(by), (manager) =>
          this.deleteWithin(manager, id, options, by),
        );
      } catch (error) {
        if (!(error instanceof ChangedMeanwhile)) throw error;
      }
    }
  }

  /** Locks in the order of all other transactions: organizations, recordings, memberships, and the user last. */
  private async deleteWithin(
    manager: EntityManager,
    userId: string,
    { newOwner, deletedBy }: UserDeletionOptions,
    by: ChangedBy,
  ): Promise<DeletedUser> {
    const memberships = await this.lockMemberships(manager, userId);
    const departures: Departed[] = [];
    for (const { organizationId, role } of memberships) {
      const named = role === null ? undefined : newOwner;
      const departure = { organizationId, role, userId, newOwner: named, removedBy: deletedBy ?? null };
      departures.push(await this.departures.end(manager, departure));
    }
    await lockPersonalRecordings(manager, userId);
    await requireUserNotHeld(manager, by, userId);
    const personalRecordings = await this.disown(manager, userId);
    const lock = { mode: 'pessimistic_write' } as const;
    const user = await manager.getRepository(User).findOne({ where: { id: userId }, lock });
    // Another request has deleted them meanwhile.
    if (!user) throw new DomainError(deletedBy === undefined ? 'USER_NOT_FOUND' : 'NOT_FOUND');
    // Until the user was locked, they may have joined an organization, or recorded something.
    if (await hasMembershipsOrRecordings(manager, userId)) throw new ChangedMeanwhile();
    // Or a hold may name them.
    await requireUserNotHeld(manager, by, userId);
    // An address that they only claimed is another person's.
    const email = user.emailVerified ? user.email : null;
    await this.erasure.begin(manager, { of: 'user', userId, email });
    await manager.getRepository(User).delete({ id: userId });
    await enqueuePurge(this.jobs, manager, RECORDING_PURGES.ofUsers, {});
    return { personalRecordings, ...summaryOf(departures) };
  }

  /** Locks the organizations, and reads the roles only then: another request may have changed them meanwhile. */
  private async lockMemberships(manager: EntityManager, userId: string): Promise<Membership[]> {
    const known = await findMemberships(manager, userId);
    for (const { organizationId } of known) {
      if (!(await this.organizations.lockIfExists(manager, organizationId))) throw new ChangedMeanwhile();
    }
    const memberships = await findMemberships(manager, userId);
    if (organizationsIn(memberships) !== organizationsIn(known)) throw new ChangedMeanwhile();
    return memberships;
  }

  /** Takes the owner from their personal recordings, in short statements. Returns how many there are. */
  private async disown(manager: EntityManager, userId: string): Promise<number> {
    for (let total = 0; ;) {
      const count = await disownSomeRecordings(manager, userId, DISOWNED_AT_ONCE);
      total += count;
      if (count < DISOWNED_AT_ONCE) return total;
    }
  }
}

const organizationsIn = (memberships: readonly Membership[]): string =>
  memberships.map(({ organizationId }) => organizationId).join();

function summaryOf(departures: readonly Departed[]): Omit<DeletedUser, 'personalRecordings'> {
  const sum = (field: 'recordings' | 'endedShareLinks' | 'endedInvitations'): number =>
    departures.reduce((total, departed) => total + departed[field], 0);
  const owners = departures.filter(({ recordings }) => recordings > 0).map(({ newOwner }) => newOwner!);
  return {
    handedOver: sum('recordings'),
    newOwners: [...new Set(owners)],
    disabledWebhooks: departures.flatMap(({ disabledWebhooks }) => disabledWebhooks),
    endedShareLinks: sum('endedShareLinks'),
    endedInvitations: sum('endedInvitations'),
  };
}

/** What belongs to the user has changed since it was read: the transaction is tried again. */
class ChangedMeanwhile extends Error {}
