import { withClient } from '../../../platform/database/connection.js';
import { sql } from '../../../platform/database/sql.js';
import { NO_ORGANIZATION } from './seal.js';

/** What of the receipt of an erasure is looked up. */
export interface Receipt {
  readonly id: string;
  readonly organization_id: string | null;
  readonly hash: string;
}

/** The id of the row that has the hash, and the number of the seal that covers it; null where there is none. */
export const findProof = (
  url: string,
  { id, organization_id: organizationId, hash }: Receipt,
): Promise<{ readonly id: string | null; readonly seal: number | null }> =>
  withClient(url, {}, async (database) => {
    const [row] = await sql(database)<{ id: string; seal: number | null }>`
      SELECT c.id, (SELECT s.number::int FROM audit_seals s
                    WHERE s.organization_id = ${organizationId ?? NO_ORGANIZATION}::uuid
                      AND c.at BETWEEN s.from_at AND s.to_at AND c.id = ANY (s.row_ids)) AS seal
      FROM change_log c
      WHERE c.type = 'erasure.completed' AND c.target_id = ${id}::uuid AND c.details ->> 'hash' = ${hash}::text
        AND c.organization_id IS NOT DISTINCT FROM ${organizationId}::uuid`;
    return row ?? { id: null, seal: null };
  });
