import type { EntityManager } from 'typeorm';

export interface Views {
  readonly count: number;
  readonly last: Date;
}

/** Adds views of links, by their ids; in order of id, so that two processes cannot deadlock. */
export async function addViews(manager: EntityManager, views: ReadonlyMap<string, Views>): Promise<void> {
  const counted = [...views.values()];
  const counts = counted.map(({ count }) => count);
  const times = counted.map(({ last }) => last);
  await manager.sql`
    WITH seen AS (
      SELECT l.id, s.count, s.last FROM share_links l
      JOIN unnest(${[...views.keys()]}::uuid[], ${counts}::int[], ${times}::timestamptz[]) AS s (id, count, last) ON s.id = l.id
      ORDER BY l.id FOR UPDATE OF l)
    UPDATE share_links l SET view_count = l.view_count + seen.count,
                             last_viewed_at = GREATEST(l.last_viewed_at, seen.last)
    FROM seen WHERE l.id = seen.id`;
}
