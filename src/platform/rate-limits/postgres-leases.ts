import type { DataSource } from 'typeorm';
import { preparedQuery } from '../database/prepared-query.js';
import type { Lease, LeaseStore } from './lease-queue.js';

/**
 * In the order of the primary key, so that two processes lock rows in the same order. `taken` also counts what was asked
 * for beyond the limit: each process knows the limit, and uses only what lies below it.
 */
const LEASE = {
  name: 'rate-limit-lease',
  text: `INSERT INTO rate_limits AS r (minute, id, taken)
         SELECT minute, id, points FROM unnest($1::integer[], $2::text[], $3::integer[]) AS asked (minute, id, points)
         ORDER BY minute, id
         ON CONFLICT (minute, id) DO UPDATE SET taken = r.taken + EXCLUDED.taken
         RETURNING minute, id, taken`,
};
/** Rows that another process is deleting are left to it. */
const TIDY = {
  name: 'rate-limit-tidy',
  text: `DELETE FROM rate_limits WHERE (minute, id) IN (
           SELECT minute, id FROM rate_limits WHERE minute < $1 FOR UPDATE SKIP LOCKED)`,
};

/** Leases of all processes on one database. */
export class PostgresLeases implements LeaseStore {
  private tidied = 0;

  constructor(
    private readonly dataSource: DataSource,
    /** Called when old rows could not be deleted; they will be with those of the next minute. */
    private readonly untidy: (error: unknown) => void,
  ) {}

  async add(leases: readonly Lease[]): Promise<number[]> {
    const rows = await preparedQuery<{ minute: number; id: string; taken: number }>(this.dataSource, LEASE, [
      leases.map(({ minute }) => minute),
      leases.map(({ id }) => id),
      leases.map(({ points }) => points),
    ]);
    const totals = new Map(rows.map(({ minute, id, taken }) => [`${minute} ${id}`, taken]));
    this.tidy(Math.max(...leases.map(({ minute }) => minute)));
    return leases.map(({ minute, id }) => totals.get(`${minute} ${id}`) ?? 0);
  }

  /** Once a minute, in the background. Keeps the minute before, for processes whose clocks are behind. */
  private tidy(minute: number): void {
    if (minute === this.tidied) return;
    this.tidied = minute;
    void preparedQuery(this.dataSource, TIDY, [minute - 1]).catch(this.untidy);
  }
}
