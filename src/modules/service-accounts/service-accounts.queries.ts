import type { EntityManager } from 'typeorm';
import type { Metadata } from '../../contract/external-ids.js';
import { isUuid } from '../../platform/ids.js';
import { type Sql, sql } from '../../platform/database/sql.js';
import type { ServiceRole } from '../../policy/roles.js';

export interface ServiceAccount {
  readonly id: string;
  readonly name: string;
  readonly role: ServiceRole;
  readonly externalId: string | null;
  readonly metadata: Metadata;
  readonly createdAt: Date;
}

/** Returns the service accounts of an organization, ordered by name. */
export async function listServiceAccounts(
  manager: EntityManager,
  organizationId: string,
): Promise<ServiceAccount[]> {
  return sql(manager)`${accountsOf(organizationId, sql`true`)}`;
}

/** Finds one by its id; undefined if the organization has none with this id. */
export async function findServiceAccount(
  manager: EntityManager,
  organizationId: string,
  id: string,
): Promise<ServiceAccount | undefined> {
  if (!isUuid(id)) return undefined;
  const [found] = await sql(manager)<ServiceAccount>`${accountsOf(organizationId, sql`u.id = ${id}::uuid`)}`;
  return found;
}

const accountsOf = (organizationId: string, which: Sql): Sql => sql`
  SELECT u.id, u.name, m.role, u.external_id AS "externalId", u.metadata, u.created_at AS "createdAt"
  FROM users u JOIN organization_members m ON m.organization_id = u.service_of AND m.user_id = u.id
  WHERE u.service_of = ${organizationId}::uuid AND ${which}
  ORDER BY lower(u.name), u.id`;

export async function findRestricted(
  manager: EntityManager,
  organizationId: string,
  folderIds: readonly string[],
): Promise<string[]> {
  const rows = await sql(manager)<{ id: string }>`
    SELECT id FROM folders
    WHERE organization_id = ${organizationId}::uuid AND id = ANY (${folderIds.filter(isUuid)}::uuid[]) AND restricted AND deleted_at IS NULL`;
  return rows.map(({ id }) => id);
}
