import type { EntityManager } from 'typeorm';
import { conflict, DomainError } from '../../../contract/domain-error.js';
import { quoteForMessage } from '../../../lib/text.js';
import { sql, type Sql } from '../../../platform/database/sql.js';

/** Whether the recording `r` is under a legal hold. */
export const IS_HELD: Sql = sql`EXISTS (SELECT FROM held_recordings held WHERE held.recording_id = r.id)`;

/** Who wants to remove something; on the command line, there is no id. */
interface Remover {
  readonly id: string | null;
  readonly operator?: boolean;
}

interface HeldRow {
  readonly recordingId: string;
  readonly matter: string;
  readonly mayKnow: boolean;
}

/**
 * Returns the refusal for each of the recordings that is under legal hold, which must be locked. Who may read
 * the audit log gets `LEGAL_HOLD` with the matter; others get `CONFLICT`, and learn only that it cannot be done. `what` completes "so
 * it cannot be".
 */
export async function findHoldRefusals(
  manager: EntityManager,
  { id, operator = id === null }: Remover,
  recordingIds: readonly string[],
  what: string,
): Promise<ReadonlyMap<string, DomainError>> {
  const rows = await sql(manager)<HeldRow>`
    SELECT DISTINCT ON (r.id) r.id AS "recordingId", hold.matter, ${operator}::boolean OR EXISTS (
      SELECT FROM organization_members m WHERE m.user_id = ${id}::uuid AND m.role IN ('OWNER', 'ADMIN')
        AND m.organization_id = hold.organization_id) AS "mayKnow"
    FROM held_recordings held JOIN legal_holds hold ON hold.id = held.hold_id JOIN recordings r ON r.id = held.recording_id
    WHERE held.recording_id = ANY (${recordingIds}::uuid[]) ORDER BY r.id, "mayKnow" DESC`;
  return new Map(rows.map((row) => [row.recordingId, refusal(row, what)]));
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

const refusal = ({ matter, mayKnow }: HeldRow, what: string): DomainError =>
  mayKnow
    ? new DomainError(
        'LEGAL_HOLD',
        `The recording is under the legal hold ${quoteForMessage(matter)}, so it cannot be ${what}.`,
      )
    : conflict(`This recording cannot be ${what} at the moment.`);
