import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { isUuid } from '../../../platform/ids.js';
import { quoteForMessage } from '../../../lib/text.js';
import { ErasureService } from '../../erasure/erasure.service.js';
import { ROLES, type Role } from '../../../policy/roles.js';
import { leavesNoOwner } from '../../../policy/management.js';
import { OrganizationMember } from '../entities/organization-member.entity.js';

/** A membership that ends. */
export interface Departure {
  readonly organizationId: string;
  readonly userId: string;
  /** Null for the owner of recordings of the organization who is no member of it. */
  readonly role: Role | null;
  /** New owner of their recordings, if specified. */
  readonly newOwner?: string;
  /** Id of the user removing them, if any. Becomes the new owner by default, if a member. */
  readonly removedBy: string | null;
  /** Id of the OWNER or ADMIN who becomes responsible for their webhooks; without one, these are disabled. */
  readonly webhooksTo?: string;
}

/** A webhook of an organization that was disabled because the member responsible for it no longer manages the organization. */
export interface DisabledWebhook {
  readonly id: string;
  readonly organizationId: string;
  /** Scheme and host. */
  readonly url: string;
  readonly description: string | null;
}

/** What a member has set up and does not go on without them. */
export interface LeftBehind {
  readonly disabledWebhooks: readonly DisabledWebhook[];
  readonly shareLinks: number;
  readonly invitations: number;
}

export interface Departed extends LeftBehind {
  /** Null if no other member is left; the recordings then keep their owner. */
  readonly newOwner: string | null;
  readonly recordings: number;
}

const TAKE_OVER = 'UPDATE webhooks SET created_by = $3 WHERE organization_id = $1 AND created_by = $2';

const NAME = 'SELECT name FROM organizations WHERE id = $1';

/** Those they own, and those they share: creating and deleting a share link locks the recording first. */
const LOCK_RECORDINGS = `
  SELECT FROM recordings
  WHERE organization_id = $1
    AND (owner_id = $2 OR id IN (SELECT recording_id FROM share_links WHERE created_by = $2 AND organization_id = $1))
  ORDER BY id FOR NO KEY UPDATE`;

const COUNT_ENDING = `
  SELECT (SELECT count(*)::int FROM share_links WHERE organization_id = $1 AND created_by = $2) AS "shareLinks",
         (SELECT count(*)::int FROM invitations WHERE organization_id = $1 AND invited_by = $2) AS invitations`;

/** The most privileged member, then the longest-standing one. */
const SUCCESSOR = `
  SELECT user_id FROM organization_members WHERE organization_id = $1 AND user_id <> $2
  ORDER BY array_position($3::text[], role), created_at, user_id LIMIT 1`;

/** Recordings that one statement hands over. */
const AT_ONCE = 10_000;

const HAND_OVER = `
  WITH batch AS (SELECT id FROM recordings WHERE organization_id = $1 AND owner_id = $2 LIMIT ${AT_ONCE}),
  moved AS (UPDATE recordings r SET owner_id = $3 FROM batch WHERE r.id = batch.id RETURNING r.id)
  SELECT count(*)::int AS recordings FROM moved`;

const DISABLED = `
  SELECT id, organization_id AS "organizationId", url_masked AS url, description FROM webhooks
  WHERE organization_id = $1 AND created_by = $2 AND disabled_reason = 'creator_left' AND xmin = pg_current_xact_id()::xid
  ORDER BY created_at, id`;

/** Ends memberships: the recordings stay with the organization, and get another owner. */
@Injectable()
export class DeparturesService {
  constructor(private readonly erasure: ErasureService) {}

  /**
   * In a transaction that has locked the organization. 409 `CONFLICT` for the last OWNER, 400 `VALIDATION_ERROR` if
   * `newOwner` is no other member.
   */
  async end(manager: EntityManager, departure: Departure): Promise<Departed> {
    const { organizationId, userId, webhooksTo } = departure;
    await this.requireOtherOwner(manager, departure, null);
    await manager.query(LOCK_RECORDINGS, [organizationId, userId]);
    if (webhooksTo !== undefined) await manager.query(TAKE_OVER, [organizationId, userId, webhooksTo]);
    const [ending]: Pick<LeftBehind, 'shareLinks' | 'invitations'>[] = await manager.query(COUNT_ENDING, [
      organizationId,
      userId,
    ]);
    if (!ending) throw new Error('An aggregate is one row');
    // With folders they are named by, links they created and invitations they sent.
    await manager.delete(OrganizationMember, { organizationId, userId });
    const disabled = await this.disabledWebhooks(manager, organizationId, userId);
    await this.erasure.begin(manager, { of: 'member', organizationId, userId });
    const newOwner = await this.newOwner(manager, departure);
    const recordings = newOwner === null ? 0 : await this.handOver(manager, departure, newOwner);
    return { newOwner, recordings, disabledWebhooks: disabled, ...ending };
  }

  /** Those that the trigger on memberships has disabled in this transaction. */
  async disabledWebhooks(
    manager: EntityManager,
    organizationId: string,
    userId: string,
  ): Promise<DisabledWebhook[]> {
    return manager.query(DISABLED, [organizationId, userId]);
  }

  private async handOver(
    manager: EntityManager,
    { organizationId, userId }: Departure,
    newOwner: string,
  ): Promise<number> {
    // Only now: a transaction that was adding a recording of this member has ended before they could be removed.
    for (let recordings = 0; ;) {
      const parameters = [organizationId, userId, newOwner];
      const [row]: { recordings: number }[] = await manager.query(HAND_OVER, parameters);
      const moved = row?.recordings ?? 0;
      recordings += moved;
      if (moved < AT_ONCE) return recordings;
    }
  }

  /** Requires that another OWNER remains if this one leaves (`to` null) or gets another role. */
  async requireOtherOwner(
    manager: EntityManager,
    { organizationId, role }: Pick<Departure, 'organizationId' | 'role'>,
    to: Role | null,
  ): Promise<void> {
    if (role !== 'OWNER' || to === 'OWNER') return;
    const owners = await manager.countBy(OrganizationMember, { organizationId, role: 'OWNER' });
    if (leavesNoOwner(role, to, owners)) {
      throw new DomainError(
        'CONFLICT',
        `An organization must have an OWNER, and this is the last one of ${await quotedName(manager, organizationId)}. Make another member OWNER, or transfer or delete the organization first.`,
      );
    }
  }

  private async newOwner(manager: EntityManager, departure: Departure): Promise<string | null> {
    const { organizationId, userId, newOwner, removedBy } = departure;
    if (newOwner !== undefined) {
      if (await isMember(manager, organizationId, newOwner)) return newOwner.toLowerCase();
      throw new DomainError(
        'VALIDATION_ERROR',
        `new_owner: must be another member of ${await quotedName(manager, organizationId)}`,
      );
    }
    if (removedBy !== null && (await isMember(manager, organizationId, removedBy))) return removedBy;
    const [row]: { user_id: string }[] = await manager.query(SUCCESSOR, [organizationId, userId, ROLES]);
    return row?.user_id ?? null;
  }
}

/** To be asked after the departing member has been removed. */
async function isMember(manager: EntityManager, organizationId: string, userId: string): Promise<boolean> {
  return isUuid(userId) && manager.existsBy(OrganizationMember, { organizationId, userId });
}

/** A user can be in many organizations: a refusal names the one that it concerns. */
async function quotedName(manager: EntityManager, organizationId: string): Promise<string> {
  const [row]: { name: string }[] = await manager.query(NAME, [organizationId]);
  return quoteForMessage(row?.name ?? '');
}
