import { cpuOf, cpuOfTree } from '../cpu-time.js';

/** Settings of PostgreSQL with which the numbers do not depend on when they are read. */
export const COUNTING = {
  // It works for all statements before it.
  autovacuum: 'off',
  // The first change of a page after a checkpoint would log the whole page.
  full_page_writes: 'off',
};

/**
 * What has been used so far: microseconds of CPU by the process of a side and by PostgreSQL (null where the kernel does not
 * say), statements of the side (null without a `counter`), bytes of WAL.
 */
export async function readCounters({ database, side, counter }) {
  const { rows } = await database.client.query(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS wal`,
  );
  return {
    process: cpuOf(side.child.pid),
    postgres: database.pid && cpuOfTree(database.pid),
    statements: counter?.statements ?? null,
    wal: rows[0].wal,
  };
}
