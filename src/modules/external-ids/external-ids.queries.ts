import type { EntityManager } from 'typeorm';
import { type Sql, sql } from '../../platform/database/sql.js';

/** What has external ids. */
export type Noun = 'recording' | 'organization' | 'folder' | 'user' | 'service account';

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

const named = ({ externalId }: Pick<Lookup, 'externalId'>): Sql => sql`x.external_id = ${externalId}::text`;

/** The rows of each that may be meant. What the caller may do with them is decided afterwards, as for any id. */
const CANDIDATES: Readonly<Record<Noun, (lookup: Lookup) => Sql>> = {
  recording: (lookup) => sql`
    recordings x WHERE ${named(lookup)} AND CASE WHEN x.organization_id IS NULL
      THEN x.owner_id = ${lookup.callerId}::uuid
      ELSE ${within(sql`x.organization_id`, { ...lookup, operator: false })} END`,
  organization: (lookup) => sql`
    organizations x WHERE ${named(lookup)} AND x.deleted_at IS NULL
      AND ${within(sql`x.id`, { ...lookup, organizationId: null })}`,
  folder: (lookup) => sql`
    folders x WHERE ${named(lookup)} AND x.deleted_at IS NULL AND ${within(sql`x.organization_id`, lookup)}`,
  user: ({ callerId, operator, ...lookup }) => sql`
    users x WHERE ${named(lookup)} AND x.service_of IS NULL AND (${operator}::boolean OR x.id = ${callerId}::uuid OR EXISTS (
      SELECT FROM organization_members theirs JOIN organization_members own USING (organization_id)
      WHERE theirs.user_id = x.id AND own.user_id = ${callerId}::uuid))`,
  'service account': (lookup) => sql`users x WHERE ${named(lookup)} AND ${within(sql`x.service_of`, lookup)}`,
};

/** Finds the ids of what may be meant by an external id. */
export async function findCandidates(manager: EntityManager, noun: Noun, lookup: Lookup): Promise<string[]> {
  const rows = await sql(manager)<{ id: string }>`
    SELECT x.id FROM ${CANDIDATES[noun](lookup)} ORDER BY x.id LIMIT ${FOUND}::int`;
  return rows.map(({ id }) => id);
}

export const isNoun = (text: string): text is Noun => text in CANDIDATES;
