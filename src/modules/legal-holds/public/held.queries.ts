import type { EntityManager } from 'typeorm';
import { conflict, DomainError } from '../../../contract/domain-error.js';
import { quoteForMessage } from '../../../lib/text.js';
import { sql, type Sql } from '../../../platform/database/sql.js';

/** Whether the recording `r` is under a legal hold. */
export const IS_HELD: Sql = sql`EXISTS (SELECT FROM held_recordings held WHERE held.recording_id = r.id)`;

/** Who is refused; the command line has no id. */
interface Remover {
  readonly id: string | null;
  readonly operator?: boolean;
}

/** A job, whose refusal everybody can read. */
export const NOBODY: Remover = { id: null, operator: false };

interface Known {
  readonly matter: string;
  readonly mayKnow: boolean;
}

/**
 * Returns the refusal for each of these recordings, which must be locked, that is under legal hold: `LEGAL_HOLD` with the
 * matter for those who may read the audit log, and `CONFLICT` for others. `what` completes "so it cannot be".
 */
export async function findHoldRefusals(
  manager: EntityManager,
  who: Remover,
  recordingIds: readonly string[],
  what: string,
): Promise<ReadonlyMap<string, DomainError>> {
  const rows = await sql(manager)<Known & { recordingId: string }>`
    SELECT DISTINCT ON (held.recording_id) held.recording_id AS "recordingId", hold.matter, ${mayKnow(who)} AS "mayKnow"
    FROM held_recordings held JOIN legal_holds hold ON hold.id = held.hold_id
    WHERE held.recording_id = ANY (${recordingIds}::uuid[]) ORDER BY held.recording_id, "mayKnow" DESC`;
  return new Map(rows.map((row) => [row.recordingId, refusal(row, 'recording', what)]));
}

/** Throws the refusal for the first of the recordings that has one. */
export async function requireNotHeld(
  manager: EntityManager,
  who: Remover,
  recordingIds: readonly string[],
  what: string,
): Promise<void> {
  for (const refused of (await findHoldRefusals(manager, who, recordingIds, what)).values()) throw refused;
}

/** Refuses to delete a user whom an active hold names, or who has a personal recording under legal hold. */
export async function requireUserNotHeld(
  manager: EntityManager,
  who: Remover,
  userId: string,
): Promise<void> {
  await requireNoHold(
    manager,
    who,
    'user',
    sql`${userId}::uuid = ANY (hold.user_ids) OR hold.id IN (
      SELECT held.hold_id FROM held_recordings held JOIN recordings r ON r.id = held.recording_id
      WHERE ${userId}::uuid IN (r.owner_id, r.deleted_owner_id)
        AND COALESCE(r.organization_id, r.deleted_organization_id) IS NULL)`,
  );
}

/** Refuses to delete an organization that has an active hold, or a recording under legal hold. */
export async function requireOrganizationNotHeld(
  manager: EntityManager,
  who: Remover,
  id: string,
): Promise<void> {
  await requireNoHold(
    manager,
    who,
    'organization',
    sql`hold.organization_id = ${id}::uuid OR hold.id IN (
      SELECT held.hold_id FROM held_recordings held JOIN recordings r ON r.id = held.recording_id
      WHERE ${id}::uuid IN (r.organization_id, r.deleted_organization_id))`,
  );
}

async function requireNoHold(manager: EntityManager, who: Remover, held: string, holds: Sql): Promise<void> {
  const [row] = await sql(manager)<Known>`
    SELECT hold.matter, ${mayKnow(who)} AS "mayKnow" FROM legal_holds hold
    WHERE hold.lifted_at IS NULL AND (${holds}) ORDER BY "mayKnow" DESC LIMIT 1`;
  if (row) throw refusal(row, held, 'deleted');
}

/** Whether somebody may know of the hold `hold`. */
export const mayKnow = ({ id, operator = id === null }: Remover): Sql => sql`(${operator}::boolean OR EXISTS (
  SELECT FROM organization_members m WHERE m.user_id = ${id}::uuid AND m.role IN ('OWNER', 'ADMIN')
    AND m.organization_id = hold.organization_id))`;

const refusal = ({ matter, mayKnow: knows }: Known, held: string, what: string): DomainError =>
  knows
    ? new DomainError(
        'LEGAL_HOLD',
        `The ${held} is under the legal hold ${quoteForMessage(matter)}, so it cannot be ${what}.`,
      )
    : conflict(`This ${held} cannot be ${what} at the moment.`);
