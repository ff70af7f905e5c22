import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type EntityManager, type Repository } from 'typeorm';
import { conflict, invalid, required } from '../../../contract/domain-error.js';
import { Clock } from '../../../platform/clock/clock.js';
import { endOf, parseTimestamp } from '../../../platform/clock/timestamps.js';
import { joined, type Sql, sql } from '../../../platform/database/sql.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { cursorPage, readCursor, type CursorPage } from '../../../platform/http/replies/cursor.js';
import { isUuid, newId } from '../../../platform/ids.js';
import { NOT_A_MEMBER } from '../../../policy/advice.js';
import { RepeatableDecision } from '../../../platform/idempotency/repeatable-decision.js';
import { ReplyChecks } from '../../../platform/idempotency/reply-checks.service.js';
import { changedBy, type Caller } from '../../../policy/caller.js';
import { requireWholeOrganizations } from '../../../policy/reach.js';
import { requireOperator } from '../../api-keys/public/key-requirements.js';
import { OrganizationTransactions } from '../../organizations/organization-transactions.service.js';
import {
  requireReachOfOrganization,
  requireRole,
} from '../../organizations/public/organization-requirements.queries.js';
import { LegalHold } from './entities/legal-hold.entity.js';
import type { ListLegalHoldsDto, PlaceLegalHoldDto } from './legal-hold.dto.js';
import { HOLD_LIMITS } from './legal-hold-limits.js';
import {
  findHolds,
  findRole,
  findUnknownId,
  holdRecordings,
  lockForHold,
  releaseRecordings,
  type CountedHold,
} from './legal-holds.queries.js';

const KNOWING = new RepeatableDecision<{ readonly id: string }>('legal hold');
const MANAGING = new RepeatableDecision<{ readonly organizationId: string }>('legal holds');
const WHAT = 'manage legal holds';

type Work<T> = (manager: EntityManager) => Promise<T>;

/** Places, lists and lifts legal holds: an OWNER those of the organization, an operator all. */
@Injectable()
export class LegalHoldsService implements OnModuleInit {
  constructor(
    @InjectRepository(LegalHold) private readonly holds: Repository<LegalHold>,
    private readonly transactions: OrganizationTransactions,
    private readonly clock: Clock,
    private readonly replies: ReplyChecks,
  ) {}

  onModuleInit(): void {
    this.replies.decideBy(KNOWING, (caller: Caller, { id }) => this.get(caller, id));
    this.replies.decideBy(MANAGING, (caller: Caller, { organizationId }) =>
      requireManager(this.holds.manager, caller, organizationId),
    );
  }

  /**
   * Places a hold; with its transaction, everything that it covers is held. 400 `VALIDATION_ERROR` names ids that name
   * nothing there; 409 `CONFLICT` for too many holds.
   */
  async place(caller: Caller, input: PlaceLegalHoldDto): Promise<CountedHold> {
    const hold = this.read(caller, input);
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
      return findOne(manager, sql`hold.id = ${hold.id}::uuid`);
    });
  }

  /** Returns a page, newest first: those of an organization, or all that the caller may know of. */
  async list(caller: Caller, query: ListLegalHoldsDto): Promise<CursorPage<CountedHold>> {
    const { organization_id: organizationId, status, limit } = query;
    const after = readCursor(query.cursor);
    const read = async (manager: EntityManager, scope: Sql): Promise<CursorPage<CountedHold>> => {
      const conditions = [
        scope,
        status && (status === 'active' ? sql`hold.lifted_at IS NULL` : sql`hold.lifted_at IS NOT NULL`),
        after && sql`(hold.created_at, hold.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
      ];
      const found = await findHolds(manager, joined(conditions, ' AND '), limit + 1);
      return cursorPage(found, limit, (hold) => hold);
    };
    if (organizationId === undefined) return read(this.holds.manager, ofAllKnownTo(caller));
    return this.change(caller, organizationId, (manager) =>
      read(manager, sql`hold.organization_id = ${organizationId}::uuid`),
    );
  }

  /** 404 `NOT_FOUND`, also for a hold that the caller may not know of. */
  async get(caller: Caller, id: string): Promise<CountedHold> {
    KNOWING.note({ id });
    const isOne = sql`hold.id = ${isUuid(id) ? id : null}::uuid`;
    return findOne(this.holds.manager, joined([isOne, ofAllKnownTo(caller)], ' AND '));
  }

  /** Lifts a hold. 409 `CONFLICT` if it has been. */
  async lift(caller: Caller, id: string, liftReason: string): Promise<CountedHold> {
    const hold = await this.get(caller, id);
    return this.change(caller, hold.organizationId, async (manager) => {
      await lockForHold(manager, hold);
      const lifted = { liftedAt: this.clock.now(), liftedBy: caller.id, liftReason };
      const active = { id: hold.id, liftedAt: IsNull() };
      const { affected } = await manager.getRepository(LegalHold).update(active, lifted);
      if (affected === 0) throw conflict('The legal hold has been lifted already.');
      await releaseRecordings(manager, hold.id);
      return findOne(manager, sql`hold.id = ${hold.id}::uuid`);
    });
  }

  private read({ id: createdBy }: Caller, input: PlaceLegalHoldDto): LegalHold {
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
      createdBy,
    });
  }

  /** Locks the organization, of which the caller has to be an OWNER, unless they are an operator. */
  private async change<T>(caller: Caller, organizationId: string | null, work: Work<T>): Promise<T> {
    const { manager } = this.holds;
    if (organizationId === null) requireOperator(caller, 'manage legal holds without an organization');
    else await requireReachOfOrganization(manager, caller, organizationId);
    return transactionBy(manager.dataSource, changedBy(caller), async (within) => {
      if (organizationId !== null) {
        await this.transactions.lock(within, organizationId);
        await requireManager(within, caller, organizationId);
      }
      return work(within);
    });
  }
}

async function requireManager(manager: EntityManager, caller: Caller, organizationId: string): Promise<void> {
  MANAGING.note({ organizationId });
  if (caller.operator) return;
  requireWholeOrganizations(caller, WHAT);
  const role = required(await findRole(manager, organizationId, caller.id), 'FORBIDDEN', NOT_A_MEMBER);
  requireRole({ id: organizationId, actor: { role } }, WHAT, (one) => one === 'OWNER');
}

/** The holds that an operator may know of, or an OWNER with this API key. */
function ofAllKnownTo(caller: Caller): Sql {
  if (caller.operator) return sql`true`;
  requireWholeOrganizations(caller, WHAT);
  const { organizationIds, refusedBy } = caller.apiKey;
  return sql`hold.organization_id IN (SELECT m.organization_id FROM organization_members m
    WHERE m.user_id = ${caller.id}::uuid AND m.role = 'OWNER' AND m.organization_id <> ALL (${refusedBy}::uuid[])
      AND (${organizationIds}::uuid[] IS NULL OR m.organization_id = ANY (${organizationIds}::uuid[])))`;
}

async function findOne(manager: EntityManager, which: Sql): Promise<CountedHold> {
  const [hold] = await findHolds(manager, which, 1);
  return required(hold, 'NOT_FOUND', 'Legal hold not found.');
}
