import { withClient } from '../../../platform/database/connection.js';
import { sql } from '../../../platform/database/sql.js';
import { NO_ORGANIZATION } from './seal.js';

/** The row of an erasure that has the hash of its receipt. */
export interface ReceiptProof {
  /** Null if there is none. */
  readonly id: string | null;
  /** The number of the seal that covers it; null if none does. */
  readonly seal: number | null;
}

/** Finds what proves the receipt of an erasure, whose content has this hash. */
export const findProof = (
  url: string,
  receipt: { readonly id: string; readonly organization_id: string | null; readonly hash: string },
): Promise<ReceiptProof> =>
  withClient(url, {}, async (database) => {
    const chain = receipt.organization_id ?? NO_ORGANIZATION;
    const [row] = await sql(database)<{ id: string; seal: number | null }>`
      SELECT c.id, (SELECT s.number::int FROM audit_seals s
                    WHERE s.organization_id = ${chain}::uuid AND c.at BETWEEN s.from_at AND s.to_at AND c.id = ANY (s.row_ids)) AS seal
      FROM change_log c
      WHERE c.type = 'erasure.completed' AND c.target_id = ${receipt.id}::uuid AND c.details ->> 'hash' = ${receipt.hash}::text
        AND c.organization_id IS NOT DISTINCT FROM ${receipt.organization_id}::uuid`;
    return row ?? { id: null, seal: null };
  });
