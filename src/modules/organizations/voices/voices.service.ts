import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { isUuid } from '../../../platform/ids.js';
import type { Caller } from '../../../policy/caller.js';
import { isManager } from '../../../policy/management.js';
import { requireWholeOrganizations } from '../../../policy/reach.js';
import type { NameListQuery, NamePage } from '../name-list.queries.js';
import { OrganizationTransactions } from '../organization-transactions.service.js';
import { OrganizationsService } from '../organizations.service.js';
import { requireRole } from '../public/organization-requirements.queries.js';
import { deleteProfile, listProfiles, type VoiceProfile } from './voices.queries.js';

const WHAT = 'see whose voices are remembered';

/** Whose voices organizations remember, for an OWNER or ADMIN: 404 `ORGANIZATION_NOT_FOUND` or 403 `FORBIDDEN` for others. */
@Injectable()
export class VoicesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly organizations: OrganizationsService,
    private readonly transactions: OrganizationTransactions,
  ) {}

  async list(caller: Caller, id: string, query: NameListQuery): Promise<NamePage<VoiceProfile>> {
    const role = await this.organizations.requireMember(caller, id);
    requireWholeOrganizations(caller, WHAT);
    requireRole({ id, actor: { role } }, WHAT, isManager);
    return listProfiles(this.dataSource.manager, id, query);
  }

  /** 404 `NOT_FOUND` if there is no such voice. */
  async delete(caller: Caller, organizationId: string, voiceId: string): Promise<void> {
    await this.transactions.manage(caller, organizationId, async (manager, { id }) => {
      if (isUuid(voiceId) && (await deleteProfile(manager, id, voiceId))) return;
      throw new DomainError('NOT_FOUND', 'The organization has no such voice.');
    });
  }
}
