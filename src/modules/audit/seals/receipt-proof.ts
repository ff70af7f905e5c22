import { withClient } from '../../../platform/database/connection.js';
import { sql } from '../../../platform/database/sql.js';
import { NO_ORGANIZATION } from './seal.js';

/** What of the receipt of an erasure is looked up. */
export interface Receipt {
  readonly id: string;
  readonly organization_id: string | null;
  readonly hash: string;
}

/** The number of the seal that covers the hash of a receipt; null if none does. */
export const findSealOf = (url: string, receipt: Receipt): Promise<number | null> =>
  withClient(url, {}, async (database) => {
    const chain = receipt.organization_id ?? NO_ORGANIZATION;
    const [row] = await sql(database)<{ seal: number }>`
      SELECT s.number::int AS seal FROM change_log c
      JOIN audit_seals s ON c.at BETWEEN s.from_at AND s.to_at AND c.id = ANY (s.row_ids)
      WHERE c.type = 'erasure.completed' AND c.target_id = ${receipt.id}::uuid AND c.details ->> 'hash' = ${receipt.hash}::text
        AND s.organization_id = ${chain}::uuid`;
    return row?.seal ?? null;
  });
