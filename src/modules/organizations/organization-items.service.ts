import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Viewer } from '../../policy/caller.js';
import { isManager } from '../../policy/management.js';
import { presentOrganizationDetails, type PresentedOrganization } from './dto/organization.dto.js';
import { presentFolder, type ListedFolder } from './dto/folder.dto.js';
import { ListedMember } from './members/member.dto.js';
import { present } from '../../contract/present.js';
import { memberKey, type MemberId } from './entities/organization-member.entity.js';
import { findFoldersFor } from './folders.queries.js';
import { findMembersFor } from './members/members.queries.js';
import { OrganizationsService } from './organizations.service.js';

/**
 * What belongs to organizations, by ids and as the API shows it to a user, as seen by the transaction of `manager`;
 * without what they do not see. One statement each.
 */
@Injectable()
export class OrganizationItemsService {
  constructor(private readonly organizations: OrganizationsService) {}

  async presentOrganizations(
    manager: EntityManager,
    viewer: Viewer,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, PresentedOrganization>> {
    if (ids.length === 0) return new Map();
    const found = await this.organizations.findForMember(manager, { id: viewer.id, apiKey: viewer }, ids);
    return new Map(found.map((details) => [details.id, presentOrganizationDetails(details)]));
  }

  /** Returns them by `memberKey`. */
  async presentMembers(
    manager: EntityManager,
    userId: string,
    members: readonly MemberId[],
  ): Promise<ReadonlyMap<string, ListedMember>> {
    if (members.length === 0) return new Map();
    const found = await findMembersFor(manager, userId, members);
    return new Map(
      found.map(({ organizationId, viewerRole, member }) => {
        const seesFlags = isManager(viewerRole) || member.id === userId;
        const key = memberKey({ organizationId, userId: member.id });
        return [key, present(ListedMember, seesFlags ? member : { ...member, features: null })];
      }),
    );
  }

  /** Inactive ones are for those who manage folders. */
  async presentFolders(
    manager: EntityManager,
    userId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, ListedFolder>> {
    if (ids.length === 0) return new Map();
    const found = await findFoldersFor(manager, userId, ids);
    return new Map(
      found
        .filter(({ active, viewerRole }) => active || isManager(viewerRole))
        .map((row) => {
          const restrictedTo = isManager(row.viewerRole) ? row.restrictedTo : null;
          return [row.id, presentFolder({ ...row, restrictedTo })];
        }),
    );
  }
}
