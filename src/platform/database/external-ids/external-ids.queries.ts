import type { EntityManager } from 'typeorm';
import { sql, type Sql } from '../sql.js';

/** An external id that a resource is to have; null or undefined: none. */
export interface ExternalIdClaim {
  readonly id: string;
  readonly externalId: string | null | undefined;
}

/** A resource and its external id. */
export interface Named {
  readonly id: string;
  readonly externalId: string;
}

/**
 * Waits for other transactions that give these external ids, and returns which other resource has that of each claim,
 * also one of an earlier claim. `others` selects resources that must not have the same: their `id` and `"externalId"`.
 */
export async function findTakenExternalIds(
  manager: EntityManager,
  claims: readonly ExternalIdClaim[],
  others: (externalIds: readonly string[]) => Sql,
): Promise<ReadonlyMap<string, Named>> {
  const given = claims.filter((claim): claim is Named => typeof claim.externalId === 'string');
  if (given.length === 0) return new Map();
  const externalIds = [...new Set(given.map(({ externalId }) => externalId))].sort();
  // In one order, so that two transactions cannot deadlock.
  await sql(manager)`
    SELECT pg_advisory_xact_lock(hashtextextended('external id ' || given.id, 0))
    FROM unnest(${externalIds}::text[]) AS given (id)`;
  const claimed = new Set(given.map(({ id }) => id));
  const found = await sql(manager)<Named>`${others(externalIds)}`;
  const owners = new Map(found.filter(({ id }) => !claimed.has(id)).map((one) => [one.externalId, one.id]));
  const taken = new Map<string, Named>();
  for (const { id, externalId } of given) {
    const owner = owners.get(externalId);
    if (owner === undefined) owners.set(externalId, id);
    else taken.set(id, { id: owner, externalId });
  }
  return taken;
}
