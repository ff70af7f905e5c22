import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SessionsService } from '../../api-keys/sessions/sessions.service.js';
import { conflict, invalid } from '../../../contract/domain-error.js';
import { isUuid } from '../../../platform/ids.js';
import { quoteForMessage } from '../../../lib/text.js';
import { ErasureService } from '../../erasure/erasure.service.js';
import type { Role } from '../../../policy/roles.js';
import { leavesNoOwner } from '../../../policy/management.js';
import { OrganizationMember } from '../entities/organization-member.entity.js';
import { Organization } from '../entities/organization.entity.js';
import { PERSON } from '../../users/public/users.queries.js';
import {
  countEnding,
  findDisabledWebhooks,
  findSuccessor,
  handOverSomeRecordings,
  handOverWebhooks,
  lockRecordingsOfMember,
} from './members.queries.js';
import type { LeftBehind } from '../public/departure.response.dto.js';

/** A membership that ends. */
export interface Departure {
  readonly organizationId: string;
  readonly userId: string;
  /** Null for the owner of recordings of the organization who is not a member of it. */
  readonly role: Role | null;
  /** New owner of their recordings, if specified. */
  readonly newOwner?: string;
  /** Id of the user removing them, if any. Becomes the new owner by default, if a member. */
  readonly removedBy: string | null;
  /** Whether they leave by themselves; otherwise, they have to sign in again. */
  readonly leaves?: boolean;
  /** Id of the OWNER or ADMIN who becomes responsible for their webhooks; without one, these are disabled. */
  readonly webhooksTo?: string;
}

export interface Departed extends LeftBehind {
  /** Null if no other member is left; the recordings then keep their owner. */
  readonly newOwner: string | null;
  readonly recordings: number;
}

/** Recordings that one statement hands over. */
const AT_ONCE = 10_000;

/** Ends memberships: the recordings stay with the organization, and get another owner. */
@Injectable()
export class DeparturesService {
  constructor(
    private readonly erasure: ErasureService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Ends a membership in a transaction that has locked the organization. 409 `CONFLICT` for the last OWNER, 400
   * `VALIDATION_ERROR` if `newOwner` is not another member.
   */
  async end(manager: EntityManager, departure: Departure): Promise<Departed> {
    const { organizationId, userId, webhooksTo } = departure;
    await this.requireOtherOwner(manager, departure, null);
    await lockRecordingsOfMember(manager, departure);
    if (webhooksTo !== undefined) await handOverWebhooks(manager, departure, webhooksTo);
    const ending = await countEnding(manager, departure);
    // With folders they are named by, links they created and invitations they sent.
    await manager.getRepository(OrganizationMember).delete({ organizationId, userId });
    if (!departure.leaves) await this.sessions.endWithin(manager, userId);
    const disabledWebhooks = await findDisabledWebhooks(manager, departure);
    await this.erasure.begin(manager, { of: 'member', organizationId, userId });
    const newOwner = await this.newOwner(manager, departure);
    const recordings = newOwner === null ? 0 : await handOverRecordings(manager, departure, newOwner);
    return { newOwner, recordings, disabledWebhooks, ...ending };
  }

  /** Requires that another OWNER remains if this one leaves (`to` null) or gets another role. */
  async requireOtherOwner(
    manager: EntityManager,
    { organizationId, role }: Pick<Departure, 'organizationId' | 'role'>,
    to: Role | null,
  ): Promise<void> {
    if (role !== 'OWNER' || to === 'OWNER') return;
    const owners = await manager.getRepository(OrganizationMember).countBy({ organizationId, role: 'OWNER' });
    if (leavesNoOwner(role, to, owners)) {
      throw conflict(
        `An organization must have an OWNER, and this is the last one of ${await quotedName(manager, organizationId)}. Make another member OWNER, or transfer or delete the organization first.`,
      );
    }
  }

  private async newOwner(manager: EntityManager, departure: Departure): Promise<string | null> {
    const { organizationId, newOwner, removedBy } = departure;
    if (newOwner !== undefined) {
      if (await isMember(manager, organizationId, newOwner)) return newOwner.toLowerCase();
      throw invalid(`new_owner: must be another member of ${await quotedName(manager, organizationId)}`);
    }
    if (removedBy !== null && (await isMember(manager, organizationId, removedBy))) return removedBy;
    return findSuccessor(manager, departure);
  }
}

async function handOverRecordings(
  manager: EntityManager,
  departure: Departure,
  newOwner: string,
): Promise<number> {
  // Only now: a transaction that was adding a recording of this member has ended before they could be removed.
  for (let recordings = 0; ;) {
    const moved = await handOverSomeRecordings(manager, departure, newOwner, AT_ONCE);
    recordings += moved;
    if (moved < AT_ONCE) return recordings;
  }
}

/** Must be asked after the departing member has been removed. */
async function isMember(manager: EntityManager, organizationId: string, userId: string): Promise<boolean> {
  const member = { organizationId, userId, user: PERSON };
  return isUuid(userId) && manager.getRepository(OrganizationMember).existsBy(member);
}

/** A user can be in many organizations: a refusal names the one that it concerns. */
async function quotedName(manager: EntityManager, organizationId: string): Promise<string> {
  const organization = await manager.getRepository(Organization).findOneBy({ id: organizationId });
  return quoteForMessage(organization?.name ?? '');
}
