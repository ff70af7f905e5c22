import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { DomainError } from '../../../contract/domain-error.js';
import { isUuid } from '../../../platform/ids.js';
import { organizationStanding, type Plan, type SubscriptionStatus } from '../../../policy/plans.js';
import { ROLE_CATALOG, type Role } from '../../../policy/roles.js';

/** Where a recording is to be. */
export interface Destination {
  readonly organizationId: string;
  /** Undefined or null: in no folder. */
  readonly folderId?: string | null;
}

interface DestinationRow {
  readonly role: Role | null;
  readonly plan: Plan;
  readonly subscription_status: SubscriptionStatus;
  readonly subscription_ends_at: Date | null;
  /** Null when there is no such active folder. */
  readonly folder_open: boolean | null;
}

/** The folder cannot be deleted until the transaction has ended. */
const HOLD_FOLDER = 'SELECT FROM folders WHERE id = $1 AND organization_id = $2 FOR KEY SHARE';

/** A change of this membership waits until the transaction has ended. */
const HOLD_MEMBERSHIP =
  'SELECT FROM organization_members WHERE organization_id = $1 AND user_id = $2 FOR SHARE';

/** `$1` the user, `$2` the organization, `$3` the folder or null. */
const DESTINATION = `
  SELECT m.role, o.plan, o.subscription_status, o.subscription_ends_at,
         (SELECT NOT f.restricted OR EXISTS (
            SELECT FROM folder_members fm WHERE fm.folder_id = f.id AND fm.user_id = $1)
          FROM folders f WHERE f.id = $3 AND f.organization_id = o.id AND f.active) AS folder_open
  FROM organizations o LEFT JOIN organization_members m ON m.organization_id = o.id AND m.user_id = $1
  WHERE o.id = $2 AND o.deleted_at IS NULL`;

/** Decides where recordings of an organization may be put, when they are created and when they are moved. */
@Injectable()
export class RecordingDestinationService {
  constructor(private readonly clock: Clock) {}

  /**
   * To be called in the transaction that puts a recording there. Requires a member whose role may create recordings, and an
   * active folder of the organization open to them: 404 `ORGANIZATION_NOT_FOUND`, 403 `FORBIDDEN`, or 400 `VALIDATION_ERROR`
   * for the folder. Whether its subscription has expired matters only to recordings that are new to the organization.
   */
  async requireOpen(
    manager: EntityManager,
    userId: string,
    { organizationId, folderId = null }: Destination,
  ): Promise<{ readonly expired: boolean }> {
    const destination = await this.find(manager, userId, { organizationId, folderId });
    if (!destination) throw new DomainError('ORGANIZATION_NOT_FOUND');
    const { role, folder_open: open } = destination;
    if (role === null) throw new DomainError('FORBIDDEN', 'You are not a member of this organization.');
    if (!ROLE_CATALOG[role].creates) {
      throw new DomainError('FORBIDDEN', `The role ${role} cannot create recordings.`);
    }
    // Members may know that a restricted folder exists, but only those it names may add to it.
    const mayAdd = open || (open !== null && ROLE_CATALOG[role].seesAll);
    if (folderId !== null && !mayAdd) {
      throw new DomainError('VALIDATION_ERROR', 'folder_id: must be an active folder of the organization');
    }
    const { plan, subscription_status: status, subscription_ends_at: endsAt } = destination;
    const { expired } = organizationStanding(plan, { status, endsAt }, this.clock.now());
    return { expired };
  }

  private async find(
    manager: EntityManager,
    userId: string,
    { organizationId, folderId }: Required<Destination>,
  ): Promise<DestinationRow | undefined> {
    if (!isUuid(organizationId)) return undefined;
    await manager.query(HOLD_MEMBERSHIP, [organizationId, userId]);
    const folder = folderId !== null && isUuid(folderId) ? folderId : null;
    if (folder !== null) await manager.query(HOLD_FOLDER, [folder, organizationId]);
    const [found]: DestinationRow[] = await manager.query(DESTINATION, [userId, organizationId, folder]);
    return found;
  }
}
