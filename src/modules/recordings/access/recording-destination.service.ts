import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { DomainError, invalid, required } from '../../../contract/domain-error.js';
import { RepeatableDecision } from '../../../platform/idempotency/repeatable-decision.js';
import { ReplyChecks } from '../../../platform/idempotency/reply-checks.service.js';
import { isUuid } from '../../../platform/ids.js';
import { organizationStanding } from '../../../policy/plans.js';
import { ROLE_CATALOG } from '../../../policy/roles.js';
import { findDestination, holdFolder, holdMembership } from './recording-access.queries.js';
import type { Caller } from '../../../policy/caller.js';
import {
  requireReachOfOrganization,
  forbidden,
} from '../../organizations/public/organization-requirements.queries.js';
import { reachesFolder, reachOf, type Asker } from '../../../policy/reach.js';
import { NOT_A_MEMBER } from '../../../policy/advice.js';

/** Where a recording is to be. */
export interface Destination {
  readonly organizationId: string;
  /** Undefined or null: in no folder. */
  readonly folderId?: string | null;
}

const BEYOND_FOLDERS = 'This API key is limited to certain folders; folder_id must be one of them.';

const PUTTING = new RepeatableDecision<Destination>('destination');

/** Decides where recordings of an organization may be put, when they are created and when they are moved. */
@Injectable()
export class RecordingDestinationService implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
    private readonly replies: ReplyChecks,
  ) {}

  onModuleInit(): void {
    this.replies.decideBy(PUTTING, (caller: Caller, destination) =>
      this.dataSource.transaction((manager) => this.requireOpen(manager, caller, destination)),
    );
  }

  /**
   * Requires, in the transaction that puts a recording there, a member whose role may create recordings, and an active
   * folder of the organization open to them: 404 `ORGANIZATION_NOT_FOUND`, 403 `FORBIDDEN`, or 400 `VALIDATION_ERROR`
   * for the folder. Whether its subscription has expired matters only to recordings that are new to the organization.
   */
  async requireOpen(
    manager: EntityManager,
    caller: Pick<Caller, 'id'> & Asker,
    { organizationId, folderId = null }: Destination,
  ): Promise<{ readonly expired: boolean }> {
    await requireReachOfOrganization(manager, caller, organizationId);
    await holdMembership(manager, organizationId, caller.id);
    const folder = folderId !== null && isUuid(folderId) ? folderId : null;
    if (folder !== null) await holdFolder(manager, folder, organizationId);
    const found = await findDestination(manager, caller.id, organizationId, folder);
    const destination = required(found, 'ORGANIZATION_NOT_FOUND');
    const { role, folder_open: open } = destination;
    if (role === null) throw new DomainError('FORBIDDEN', NOT_A_MEMBER);
    if (!ROLE_CATALOG[role].creates)
      throw forbidden(role, 'create recordings', (other) => ROLE_CATALOG[other].creates);
    // Members may know that a restricted folder exists, but only those it names may add to it.
    const mayAdd = open || (open !== null && ROLE_CATALOG[role].seesAll);
    if (folderId !== null && !mayAdd) {
      throw invalid('folder_id: must be an active folder of the organization');
    }
    if (!reachesFolder(reachOf(caller), folderId)) throw new DomainError('FORBIDDEN', BEYOND_FOLDERS);
    PUTTING.note({ organizationId, folderId });
    const { plan, subscription_status: status, subscription_ends_at: endsAt } = destination;
    const { expired } = organizationStanding(plan, { status, endsAt }, this.clock.now());
    return { expired };
  }
}
