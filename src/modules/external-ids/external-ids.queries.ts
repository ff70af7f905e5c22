import type { EntityManager } from 'typeorm';
import type { ExternallyNamed } from '../../contract/id-param.decorator.js';
import { type Sql, sql } from '../../platform/database/sql.js';

/** Where external ids are looked for. */
interface Lookup {
  readonly callerId: string;
  /** Operators also find organizations, and what belongs to them, of which they are not members. */
  readonly operator: boolean;
  /** Only what belongs to this organization. */
  readonly organizationId: string | null;
}

/** Candidates for one external id: more organizations than anybody is in. */
const MOST = 100;

const within = (column: Sql, { callerId, operator, organizationId }: Lookup): Sql =>
  organizationId === null
    ? sql`(${operator}::boolean OR ${column} IN (
        SELECT organization_id FROM organization_members WHERE user_id = ${callerId}::uuid))`
    : sql`${column} = ${organizationId}::uuid`;

/** The rows of each that may be meant. What the caller may do with them is decided afterwards, as for any id. */
const CANDIDATES: Readonly<
  Record<ExternallyNamed, (lookup: Lookup) => readonly [table: Sql, condition: Sql]>
> = {
  recording: (lookup) => [
    sql`recordings`,
    sql`CASE WHEN x.organization_id IS NULL THEN x.owner_id = ${lookup.callerId}::uuid
      ELSE ${within(sql`x.organization_id`, { ...lookup, operator: false })} END`,
  ],
  organization: (lookup) => [
    sql`organizations`,
    sql`x.deleted_at IS NULL AND ${within(sql`x.id`, { ...lookup, organizationId: null })}`,
  ],
  folder: (lookup) => [sql`folders`, sql`x.deleted_at IS NULL AND ${within(sql`x.organization_id`, lookup)}`],
  user: ({ callerId, operator }) => [
    sql`users`,
    sql`x.service_of IS NULL AND (${operator}::boolean OR x.id = ${callerId}::uuid OR EXISTS (
      SELECT FROM organization_members theirs JOIN organization_members own USING (organization_id)
      WHERE theirs.user_id = x.id AND own.user_id = ${callerId}::uuid))`,
  ],
  'service account': (lookup) => [sql`users`, within(sql`x.service_of`, lookup)],
};

/** Finds what may be meant by external ids: the ids for each of them that has any. */
export async function findCandidates(
  manager: EntityManager,
  noun: ExternallyNamed,
  externalIds: readonly string[],
  lookup: Lookup,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const [table, condition] = CANDIDATES[noun](lookup);
  const rows = await sql(manager)<{ externalId: string; ids: string[] }>`
    SELECT given.id AS "externalId", array_agg(found.id ORDER BY found.id) AS ids
    FROM unnest(${externalIds}::text[]) AS given (id) CROSS JOIN LATERAL (
      SELECT x.id FROM ${table} x WHERE x.external_id = given.id AND ${condition} LIMIT ${MOST}::int) found
    GROUP BY given.id`;
  return new Map(rows.map(({ externalId, ids }) => [externalId, ids]));
}
