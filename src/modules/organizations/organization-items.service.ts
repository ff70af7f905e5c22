import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isManager } from '../../policy/management.js';
import type { Role } from '../../policy/roles.js';
import {
  presentOrganizationDetails,
  type PresentedOrganization,
} from './public/organization-details.response.dto.js';
import {
  presentFolder,
  presentMember,
  type ListedFolder,
  type ListedMember,
} from './public/organization.response.dto.js';
import { memberKey, type MemberId } from './public/member-key.js';
import { OrganizationDetailsService } from './organization-details.service.js';
import {
  FOLDER_COLUMNS,
  MEMBER_LIST,
  toFolder,
  toMember,
  type ListedFolderOfCaller,
  type MemberRow,
} from './organizations.service.js';

const MEMBERS = `
  SELECT ${MEMBER_LIST.columns}, m.organization_id AS "organizationId", viewer.role AS "viewerRole"
  FROM ${MEMBER_LIST.from} JOIN organization_members viewer ON viewer.organization_id = m.organization_id AND viewer.user_id = $1
  WHERE (m.organization_id, m.user_id) IN (SELECT * FROM unnest($2::uuid[], $3::uuid[]))`;

const FOLDERS = `
  SELECT ${FOLDER_COLUMNS}, viewer.role AS "viewerRole"
  FROM folders f JOIN organization_members viewer ON viewer.organization_id = f.organization_id AND viewer.user_id = $1
  WHERE f.id = ANY ($2) AND f.deleted_at IS NULL`;

/**
 * What belongs to organizations, by ids and as the API shows it to a user, as seen by the transaction of `manager`; without what
 * they do not see. One statement each.
 */
@Injectable()
export class OrganizationItemsService {
  constructor(private readonly details: OrganizationDetailsService) {}

  async organizations(
    manager: EntityManager,
    userId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, PresentedOrganization>> {
    if (ids.length === 0) return new Map();
    const found = await this.details.ofMember(manager, userId, ids);
    return new Map(found.map((details) => [details.id, presentOrganizationDetails(details)]));
  }

  /** By `memberKey`. */
  async members(
    manager: EntityManager,
    userId: string,
    members: readonly MemberId[],
  ): Promise<ReadonlyMap<string, ListedMember>> {
    if (members.length === 0) return new Map();
    const rows: (MemberRow & { organizationId: string; viewerRole: Role })[] = await manager.query(MEMBERS, [
      userId,
      members.map(({ organizationId }) => organizationId),
      members.map((member) => member.userId),
    ]);
    return new Map(
      rows.map(({ organizationId, viewerRole, ...row }) => [
        memberKey({ organizationId, userId: row.id }),
        presentMember(toMember(row, isManager(viewerRole) || row.id === userId)),
      ]),
    );
  }

  /** Inactive ones are for those who manage folders. */
  async folders(
    manager: EntityManager,
    userId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, ListedFolder>> {
    if (ids.length === 0) return new Map();
    const rows: (ListedFolderOfCaller & { viewerRole: Role })[] = await manager.query(FOLDERS, [userId, ids]);
    return new Map(
      rows
        .filter(({ active, viewerRole }) => active || isManager(viewerRole))
        .map(({ viewerRole, ...row }) => [row.id, presentFolder(toFolder(row, isManager(viewerRole)))]),
    );
  }
}
