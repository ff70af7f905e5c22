import type { EntityManager } from 'typeorm';
import { sql } from '../../../platform/database/sql.js';

/** An organization of the user who decides about a client. */
export interface ReachableOrganization {
  readonly id: string;
  readonly name: string;
  /** Whether it lets the client in, with the way in which the user has signed in. */
  readonly accepts: boolean;
  /** The longest life of connections that it accepts; null: any. */
  readonly maxDays: number | null;
}

/** Returns the organizations of a user, by name. `provider`: with which they have signed in. */
export async function findReachableOrganizations(
  manager: EntityManager,
  {
    userId,
    clientId,
    provider,
  }: { readonly userId: string; readonly clientId: string; readonly provider: string | null },
): Promise<ReachableOrganization[]> {
  return sql(manager)`
    SELECT o.id, o.name, o.api_key_max_days AS "maxDays",
      (o.oauth_clients IS NULL OR ${clientId}::text = ANY (o.oauth_clients))
        AND (o.sso_provider IS NULL OR o.sso_provider IS NOT DISTINCT FROM ${provider}::text) AS accepts
    FROM organization_members m JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = ${userId}::uuid AND o.deleted_at IS NULL
    ORDER BY lower(o.name), o.id`;
}
