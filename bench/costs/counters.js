import { cpuOf, cpuOfTree, parentOf } from '../cpu-time.js';

/** Settings of PostgreSQL with which the numbers do not depend on when they are read. */
export const COUNTING = {
  // It works for all statements before it.
  autovacuum: 'off',
  // The first change of a page after a checkpoint would log the whole page.
  full_page_writes: 'off',
};

/** The process id of the PostgreSQL of this connection; null where it cannot be read. */
export async function serverOf(client) {
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  return parentOf(rows[0].pid);
}

/**
 * What has been used so far: microseconds of CPU by the process of a side and by PostgreSQL (null where the kernel does not
 * say), statements of the side, bytes of WAL.
 */
export async function readCounters({ client, server, side, counter }) {
  const { rows } = await client.query(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS wal`,
  );
  return {
    process: cpuOf(side.child.pid),
    postgres: server && cpuOfTree(server),
    statements: counter.statements,
    wal: rows[0].wal,
  };
}

/** From one reading to a later one. */
export function differenceOf(before, after) {
  return Object.fromEntries(
    Object.entries(after).map(([field, value]) => [field, value === null ? null : value - before[field]]),
  );
}
