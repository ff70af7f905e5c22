import type { EntityManager } from 'typeorm';

/**
 * Folds the rows of each count into one. One statement, so that they add up to it at any moment; if two run at once,
 * one finds the rows gone.
 */
export async function foldCounts(manager: EntityManager): Promise<void> {
  await manager.sql`
  WITH fresh AS (SELECT DISTINCT scope_id, unit, since, status FROM recording_counts WHERE NOT folded),
  taken AS (
    DELETE FROM recording_counts c USING fresh
    WHERE (c.scope_id, c.unit, c.since, c.status) = (fresh.scope_id, fresh.unit, fresh.since, fresh.status)
    RETURNING c.scope_id, c.unit, c.since, c.status, c.n)
  INSERT INTO recording_counts (scope_id, unit, since, status, n, folded)
  SELECT scope_id, unit, since, status, sum(n), true FROM taken
  GROUP BY scope_id, unit, since, status HAVING sum(n) <> 0`;
}
