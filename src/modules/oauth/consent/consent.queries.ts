import type { EntityManager } from 'typeorm';
import { sql } from '../../../platform/database/sql.js';
import type { Caller } from '../../../policy/caller.js';

/** An organization of the user who decides about a client. */
interface ReachableOrganization {
  readonly id: string;
  readonly name: string;
  /** Whether it lets the client in, with the way in which the user has signed in. */
  readonly accepts: boolean;
  /** The longest life of connections that it accepts; null: any. */
  readonly maxDays: number | null;
}

/** Returns the organizations of the caller, by name. */
export const findReachableOrganizations = (
  manager: EntityManager,
  { id: userId, session }: Caller,
  clientId: string,
): Promise<ReachableOrganization[]> =>
  sql(manager)`
    SELECT o.id, o.name, o.api_key_max_days AS "maxDays",
      (o.oauth_clients IS NULL OR ${clientId}::text = ANY (o.oauth_clients))
        AND (o.sso_provider IS NULL OR o.sso_provider IS NOT DISTINCT FROM ${session?.provider ?? null}::text) AS accepts
    FROM organization_members m JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = ${userId}::uuid AND o.deleted_at IS NULL
    ORDER BY lower(o.name), o.id`;
