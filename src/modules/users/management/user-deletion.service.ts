import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import type { Role } from '../../../policy/roles.js';
import { ErasureService } from '../../erasure/erasure.service.js';
import {
  DeparturesService,
  type Departed,
  type LeftBehind,
} from '../../organizations/members/departures.service.js';
import { OrganizationTransactions } from '../../organizations/organization-transactions.service.js';
import { enqueuePurge, RECORDING_PURGES } from '../../organizations/public/recording-purges.js';
import { User } from '../entities/user.entity.js';
import { changedBy, type ChangedBy } from '../../../policy/caller.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';

export interface UserDeletionOptions {
  /** Id of a member of all their organizations, who becomes the owner of their recordings there. */
  readonly newOwner?: string;
  /** Id of the user who deletes them; the default for `newOwner` in organizations that both belong to. */
  readonly deletedBy?: string;
}

/** With what they had set up in organizations. */
export interface DeletedUser extends LeftBehind {
  readonly personalRecordings: number;
  /** Those of organizations, which have another owner now. */
  readonly handedOver: number;
  /** Ids of these owners. */
  readonly newOwners: readonly string[];
}

interface MembershipRow {
  readonly organizationId: string;
  /** Null where they only own recordings: imported ones, whose owner need not be a member. */
  readonly role: Role | null;
}

const MEMBERSHIPS = `
  SELECT o.id AS "organizationId", m.role FROM organizations o
  LEFT JOIN organization_members m ON m.organization_id = o.id AND m.user_id = $1
  WHERE o.deleted_at IS NULL AND o.id IN (
    SELECT organization_id FROM organization_members WHERE user_id = $1
    UNION SELECT organization_id FROM recordings WHERE owner_id = $1)
  ORDER BY o.id`;

/** Recordings that one statement takes the owner from. */
const DISOWNED_AT_ONCE = 10_000;

const LOCK_PERSONAL = `
  SELECT FROM recordings WHERE owner_id = $1 AND organization_id IS NULL ORDER BY id FOR NO KEY UPDATE`;

const DISOWN = `
  WITH batch AS (
    SELECT id FROM recordings WHERE owner_id = $1 AND organization_id IS NULL LIMIT ${DISOWNED_AT_ONCE}),
  disowned AS (UPDATE recordings r SET owner_id = NULL FROM batch WHERE r.id = batch.id RETURNING r.id)
  SELECT count(*)::int AS count FROM disowned`;

/** An address that they only claimed is another person's. */
const LOCK_USER = `
  SELECT id, CASE WHEN email_verified THEN email END AS email FROM users WHERE id = $1 FOR UPDATE`;

const ADDED = `
  SELECT organization_id FROM organization_members WHERE user_id = $1
  UNION ALL SELECT id FROM recordings WHERE owner_id = $1 AND organization_id IS NULL LIMIT 1`;

@Injectable()
export class UserDeletionService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly organizations: OrganizationTransactions,
    private readonly departures: DeparturesService,
    private readonly jobs: JobsService,
    private readonly erasure: ErasureService,
  ) {}

  /**
   * Deletes the user and the share links they created. Their personal recordings, which no one else can ever see, lose their
   * owner with it; a job deletes them, since there may be more than one request can delete.
   * Recordings of organizations are kept and get another owner. The user's keys are kept too, and then get
   * `USER_NOT_FOUND`. 409 `CONFLICT` for the last OWNER of an organization; 401 `USER_NOT_FOUND`, or 404
   * `NOT_FOUND` with `deletedBy`, if they have been deleted meanwhile.
   */
  async delete({ id }: Pick<User, 'id'>, options: UserDeletionOptions, by: ChangedBy): Promise<DeletedUser> {
    for (;;) {
      try {
        return await transactionBy(this.dataSource, changedBy(by), (manager) =>
          this.deleteWithin(manager, id, options),
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
  ): Promise<DeletedUser> {
    const memberships = await this.lockMemberships(manager, userId);
    const departures: Departed[] = [];
    for (const { organizationId, role } of memberships) {
      const named = role === null ? undefined : newOwner;
      const departure = { organizationId, role, userId, newOwner: named, removedBy: deletedBy ?? null };
      departures.push(await this.departures.end(manager, departure));
    }
    const personalRecordings = await this.disown(manager, userId);
    const [user]: { id: string; email: string | null }[] = await manager.query(LOCK_USER, [userId]);
    // Another request has deleted them meanwhile.
    if (!user) throw new DomainError(deletedBy === undefined ? 'USER_NOT_FOUND' : 'NOT_FOUND');
    // Until the user was locked, they may have joined an organization, or recorded something.
    const added: object[] = await manager.query(ADDED, [userId]);
    if (added.length > 0) throw new ChangedMeanwhile();
    await this.erasure.begin(manager, { of: 'user', userId, email: user.email });
    await manager.delete(User, { id: userId });
    await enqueuePurge(this.jobs, manager, RECORDING_PURGES.ofUsers, {});
    return { personalRecordings, ...summaryOf(departures) };
  }

  /** Locks the organizations, and reads the roles only then: another request may have changed them meanwhile. */
  private async lockMemberships(manager: EntityManager, userId: string): Promise<MembershipRow[]> {
    const known: MembershipRow[] = await manager.query(MEMBERSHIPS, [userId]);
    for (const { organizationId } of known) {
      if (!(await this.organizations.lockIfExists(manager, organizationId))) throw new ChangedMeanwhile();
    }
    const memberships: MembershipRow[] = await manager.query(MEMBERSHIPS, [userId]);
    const ids = (rows: readonly MembershipRow[]) => rows.map(({ organizationId }) => organizationId).join();
    if (ids(memberships) !== ids(known)) throw new ChangedMeanwhile();
    return memberships;
  }

  /** Takes the owner from their personal recordings, in several statements, none of which takes long. Returns how many these are. */
  private async disown(manager: EntityManager, userId: string): Promise<number> {
    await manager.query(LOCK_PERSONAL, [userId]);
    for (let total = 0; ;) {
      const [row]: { count: number }[] = await manager.query(DISOWN, [userId]);
      const count = row?.count ?? 0;
      total += count;
      if (count < DISOWNED_AT_ONCE) return total;
    }
  }
}

function summaryOf(departures: readonly Departed[]): Omit<DeletedUser, 'personalRecordings'> {
  const sum = (count: (departed: Departed) => number): number =>
    departures.reduce((total, departed) => total + count(departed), 0);
  const owners = departures.flatMap(({ newOwner, recordings }) =>
    newOwner === null || recordings === 0 ? [] : newOwner,
  );
  return {
    handedOver: sum(({ recordings }) => recordings),
    newOwners: [...new Set(owners)],
    disabledWebhooks: departures.flatMap((departed) => departed.disabledWebhooks),
    shareLinks: sum(({ shareLinks }) => shareLinks),
    invitations: sum(({ invitations }) => invitations),
  };
}

/** What belongs to the user has changed since it was read: the transaction is tried again. */
class ChangedMeanwhile extends Error {}
