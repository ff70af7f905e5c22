import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type EntityManager, type Repository } from 'typeorm';
import { conflict, DomainError, invalid, required } from '../../../contract/domain-error.js';
import { Clock } from '../../../platform/clock/clock.js';
import { endOf, parseTimestamp } from '../../../platform/clock/timestamps.js';
import { joined, type Sql, sql } from '../../../platform/database/sql.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { ReplyChecks } from '../../../platform/idempotency/reply-checks.service.js';
import { RepeatableDecision } from '../../../platform/idempotency/repeatable-decision.js';
import { cursorPage, readCursor, type CursorPage } from '../../../platform/http/replies/cursor.js';
import { isUuid, newId } from '../../../platform/ids.js';
import { changedBy, type Caller } from '../../../policy/caller.js';
import { requireWholeOrganizations } from '../../../policy/reach.js';
import { OrganizationTransactions } from '../../organizations/organization-transactions.service.js';
import {
  isOwner,
  requireReachOfOrganization,
} from '../../organizations/public/organization-requirements.queries.js';
import { LegalHold } from './entities/legal-hold.entity.js';
import type { ListLegalHoldsDto, PlaceLegalHoldDto } from './legal-hold.dto.js';
import { HOLD_LIMITS } from './legal-hold-limits.js';
import {
  findHolds,
  findUnknownId,
  holdRecordings,
  lockForHold,
  releaseRecordings,
  type CountedHold,
} from './legal-holds.queries.js';

const WHAT = 'manage legal holds';
/** By an operator, or an OWNER of the organization: either may lose the one right and keep the other. */
const MANAGING = new RepeatableDecision<{
  readonly organizationId: string | null;
  readonly holdId?: string | undefined;
}>('legal holds');

type Work<T> = (manager: EntityManager) => Promise<T>;

/** Places, lists and lifts legal holds: an OWNER those of the organization, an operator all. */
@Injectable()
export class LegalHoldsService implements OnModuleInit {
  constructor(
    @InjectRepository(LegalHold) private readonly holds: Repository<LegalHold>,
    private readonly transactions: OrganizationTransactions,
    private readonly replies: ReplyChecks,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.replies.decideBy(MANAGING, async (caller: Caller, { organizationId, holdId }) => {
      if (holdId !== undefined) await this.get(caller, holdId);
      await this.requireManager(caller, organizationId);
    });
  }

  /**
   * Places a hold on everything that it covers now. 400 `VALIDATION_ERROR` for an id that names nothing there; 409 `CONFLICT` for
   * too many holds.
   */
  async place(caller: Caller, input: PlaceLegalHoldDto): Promise<CountedHold> {
    const hold = this.read(input);
    return this.change(caller, hold.organizationId, async (manager) => {
      await lockForHold(manager, hold);
      const unknown = await findUnknownId(manager, hold);
      if (unknown !== undefined)
        throw invalid(`${unknown}: does not exist there, or has been deleted for good`);
      const holds = manager.getRepository(LegalHold);
      const organizationId = hold.organizationId ?? IsNull();
      if ((await holds.countBy({ organizationId, liftedAt: IsNull() })) >= HOLD_LIMITS.active)
        throw conflict(`At most ${HOLD_LIMITS.active} legal holds can be active; lift one first.`);
      await holds.insert(hold);
      await holdRecordings(manager, hold);
      return findOne(manager, hold.id);
    });
  }

  /** Returns a page of those that the caller may know of, newest first. */
  async list(
    caller: Caller,
    { organization_id: organizationId, limit, cursor }: ListLegalHoldsDto,
  ): Promise<CursorPage<CountedHold>> {
    const { manager } = this.holds;
    if (organizationId !== undefined) await requireReachOfOrganization(manager, caller, organizationId);
    const after = readCursor(cursor);
    const conditions = [
      knownTo(caller),
      organizationId !== undefined && sql`hold.organization_id = ${organizationId}::uuid`,
      after && sql`(hold.created_at, hold.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
    ];
    const found = await findHolds(manager, joined(conditions, ' AND '), limit + 1);
    return cursorPage(found, limit, (hold) => hold);
  }

  /** 404 `NOT_FOUND`, also for a hold that the caller may not know of. */
  async get(caller: Caller, id: string): Promise<CountedHold> {
    return findOne(this.holds.manager, id, knownTo(caller));
  }

  /** Lifts a hold. 409 `CONFLICT` if it has been lifted already. */
  async lift(caller: Caller, id: string): Promise<CountedHold> {
    const hold = await this.get(caller, id);
    return this.change(
      caller,
      hold.organizationId,
      async (manager) => {
        await lockForHold(manager, hold);
        const active = { id: hold.id, liftedAt: IsNull() };
        const { affected } = await manager
          .getRepository(LegalHold)
          .update(active, { liftedAt: this.clock.now() });
        if (affected === 0) throw conflict('The legal hold has been lifted already.');
        await releaseRecordings(manager, hold.id);
        return findOne(manager, hold.id);
      },
      hold.id,
    );
  }

  private read(input: PlaceLegalHoldDto): LegalHold {
    const { organization_id: organizationId, matter, reason, from, to } = input;
    const { recording_ids: recordingIds = [], folder_ids: folderIds = [], user_ids: userIds = [] } = input;
    if (organizationId === undefined && folderIds.length > 0)
      throw invalid('folder_ids: requires organization_id');
    if (organizationId === undefined && recordingIds.length + userIds.length === 0)
      throw invalid('organization_id: required without recording_ids and user_ids');
    const until = to === undefined ? null : parseTimestamp(to);
    return this.holds.create({
      id: newId(),
      organizationId: organizationId?.toLowerCase() ?? null,
      matter,
      reason,
      recordingIds,
      folderIds,
      userIds,
      fromAt: from === undefined ? null : parseTimestamp(from)?.date,
      toAt: until && endOf(until),
      createdAt: this.clock.now(),
    });
  }

  /** For an OWNER of the organization, which is locked, and for operators. `holdId`: of one that they know. */
  private async change<T>(
    caller: Caller,
    organizationId: string | null,
    work: Work<T>,
    holdId?: string,
  ): Promise<T> {
    MANAGING.note({ organizationId, holdId });
    if (!caller.operator && organizationId !== null)
      return this.transactions.own(caller, organizationId, work);
    await this.requireManager(caller, organizationId);
    return transactionBy(this.holds.manager.dataSource, changedBy(caller), async (within) => {
      if (organizationId !== null) await this.transactions.lock(within, organizationId);
      return work(within);
    });
  }

  private async requireManager(caller: Caller, organizationId: string | null): Promise<void> {
    const { manager } = this.holds;
    if (organizationId !== null) await requireReachOfOrganization(manager, caller, organizationId);
    if (caller.operator) return;
    requireWholeOrganizations(caller, WHAT);
    if (organizationId === null || !(await isOwner(manager, organizationId, caller.id)))
      throw new DomainError('FORBIDDEN', `Only operators, and for an organization its OWNERs, can ${WHAT}.`);
  }
}

/** The holds that an operator may know of, or an OWNER with this API key. */
function knownTo(caller: Caller): Sql {
  if (caller.operator) return sql`true`;
  requireWholeOrganizations(caller, WHAT);
  const { organizationIds, refusedBy } = caller.apiKey;
  return sql`hold.organization_id IN (SELECT m.organization_id FROM organization_members m
    WHERE m.user_id = ${caller.id}::uuid AND m.role = 'OWNER' AND m.organization_id <> ALL (${refusedBy}::uuid[])
      AND (${organizationIds}::uuid[] IS NULL OR m.organization_id = ANY (${organizationIds}::uuid[])))`;
}

async function findOne(manager: EntityManager, id: string, known = sql`true`): Promise<CountedHold> {
  const [hold] = await findHolds(manager, sql`hold.id = ${isUuid(id) ? id : null}::uuid AND ${known}`, 1);
  return required(hold, 'NOT_FOUND', 'Legal hold not found.');
}
