import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import type { Role } from '../../policy/roles.js';
import { RecordingPurgeService } from '../media/recording-purge.service.js';
import { DeparturesService } from '../organization-management/members/departures.service.js';
import { OrganizationTransactions } from '../organization-management/organization-transactions.service.js';
import { User } from '../users/entities/user.entity.js';

export interface UserDeletionOptions {
  /** Id of a member of all their organizations, who becomes the owner of their recordings there. */
  readonly newOwner?: string;
  /** Id of the user who deletes them; the default for `newOwner` in organizations that both belong to. */
  readonly deletedBy?: string;
}

export interface DeletedUser {
  readonly personalRecordings: number;
  /** Those of organizations, which have another owner now. */
  readonly handedOver: number;
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

const JOB = 'users.delete';
const BATCH = 200;

const PERSONAL =
  'SELECT count(*)::int AS count FROM recordings WHERE owner_id = $1 AND organization_id IS NULL';

/** Personal recordings of deleted users. */
const DELETE_BATCH = `
  WITH batch AS (
    SELECT id FROM recordings WHERE owner_id IS NULL AND organization_id IS NULL LIMIT ${BATCH} FOR UPDATE),
  gone AS (DELETE FROM recordings r USING batch WHERE r.id = batch.id RETURNING r.id)
  SELECT id FROM gone`;

@Injectable()
export class UserDeletionService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly organizations: OrganizationTransactions,
    private readonly departures: DeparturesService,
    private readonly purges: RecordingPurgeService,
  ) {}

  onModuleInit(): void {
    this.purges.handle(JOB, { batch: DELETE_BATCH, parameters: () => [] });
  }

  /**
   * Deletes the user and the share links they created. Their personal recordings, which no one else can ever see, lose their
   * owner with it; a job deletes them, since there may be more than one request can delete.
   * Recordings of organizations are kept and get another owner. The user's keys are kept too, and then get
   * `USER_NOT_FOUND`. 409 `CONFLICT` for the last OWNER of an organization.
   */
  async delete({ id }: Pick<User, 'id'>, options: UserDeletionOptions = {}): Promise<DeletedUser> {
    for (;;) {
      const deleted = await this.dataSource.transaction(async (manager) => {
        const memberships = await this.lock(manager, id);
        return memberships && this.deleteLocked(manager, id, memberships, options);
      });
      if (deleted) return deleted;
    }
  }

  /** Null if they have joined or left an organization meanwhile, or one of them has been deleted. */
  private async lock(manager: EntityManager, userId: string): Promise<MembershipRow[] | null> {
    const known: MembershipRow[] = await manager.query(MEMBERSHIPS, [userId]);
    for (const { organizationId } of known) {
      if (!(await this.organizations.lockIfExists(manager, organizationId))) return null;
    }
    await manager.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [userId]);
    const memberships: MembershipRow[] = await manager.query(MEMBERSHIPS, [userId]);
    const ids = (rows: readonly MembershipRow[]) => rows.map(({ organizationId }) => organizationId).join();
    return ids(memberships) === ids(known) ? memberships : null;
  }

  private async deleteLocked(
    manager: EntityManager,
    userId: string,
    memberships: readonly MembershipRow[],
    { newOwner, deletedBy }: UserDeletionOptions,
  ): Promise<DeletedUser> {
    let handedOver = 0;
    for (const { organizationId, role } of memberships) {
      const named = role === null ? undefined : newOwner;
      const departure = { organizationId, role, userId, newOwner: named, removedBy: deletedBy ?? null };
      handedOver += (await this.departures.end(manager, departure)).recordings;
    }
    const [row]: { count: number }[] = await manager.query(PERSONAL, [userId]);
    // The foreign key takes the owner from them.
    await manager.query(`SET LOCAL statement_timeout = '120s'`);
    await manager.delete(User, { id: userId });
    await this.purges.begin(manager, JOB, {});
    return { personalRecordings: row?.count ?? 0, handedOver };
  }
}
