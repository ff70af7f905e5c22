import type { EntityManager } from 'typeorm';
import type { ExternallyNamed } from '../../contract/id-param.decorator.js';
import { type Sql, sql } from '../../platform/database/sql.js';

/** Where an external id is looked for. */
export interface Lookup {
  readonly externalId: string;
  readonly callerId: string;
  /** Operators also find organizations, and what belongs to them, of which they are not members. */
  readonly operator: boolean;
  /** Only what belongs to this organization. */
  readonly organizationId: string | null;
}

/** More than one is enough to be ambiguous, and to say which. */
const FOUND = 5;

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

/** Finds the ids of what may be meant by an external id. */
export async function findCandidates(
  manager: EntityManager,
  noun: ExternallyNamed,
  lookup: Lookup,
): Promise<string[]> {
  const [table, condition] = CANDIDATES[noun](lookup);
  const rows = await sql(manager)<{ id: string }>`
    SELECT x.id FROM ${table} x
    WHERE x.external_id = ${lookup.externalId}::text AND ${condition} ORDER BY x.id LIMIT ${FOUND}::int`;
  return rows.map(({ id }) => id);
}
