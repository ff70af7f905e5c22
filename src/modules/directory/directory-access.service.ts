import { Injectable } from '@nestjs/common';
import { DomainError } from '../../contract/domain-error.js';
import type { Caller } from '../../policy/caller.js';
import { isManager } from '../../policy/management.js';
import { requireWholeOrganizations } from '../../policy/reach.js';
import type { Role } from '../../policy/roles.js';
import {
  OrganizationTransactions,
  type OrganizationWork,
} from '../organizations/organization-transactions.service.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { requireRole } from '../organizations/public/organization-requirements.queries.js';

/**
 * Decides whose directory a request is about, and who may keep it: an OWNER, or a service account that is ADMIN, which
 * only an OWNER can have made. Not other ADMINs: the groups of a directory make people OWNERs, and it disables them.
 */
@Injectable()
export class DirectoryAccess {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly transactions: OrganizationTransactions,
  ) {}

  /** Returns the id of the organization whose directory the caller may read. 403 `FORBIDDEN`. */
  async read(caller: Caller): Promise<string> {
    const id = organizationOf(caller);
    const role = await this.organizations.requireMember(caller, id);
    requireWholeOrganizations(caller, 'read the directory');
    requireKeeper(caller, id, role);
    return id;
  }

  /** Runs `work` in a transaction that has locked the organization. 403 `FORBIDDEN`. */
  async change<T>(caller: Caller, work: OrganizationWork<T>): Promise<T> {
    return this.transactions.change(caller, organizationOf(caller), (manager, organization) => {
      requireKeeper(caller, organization.id, organization.actor.role);
      return work(manager, organization);
    });
  }
}

function organizationOf({ apiKey }: Caller): string {
  const [id, ...others] = apiKey.organizationIds ?? [];
  if (id !== undefined && others.length === 0) return id;
  throw new DomainError(
    'FORBIDDEN',
    'A directory belongs to one organization: use an API key that is limited to it, such as one of a service account.',
  );
}

const requireKeeper = ({ serviceOf }: Caller, id: string, role: Role): void =>
  requireRole({ id, actor: { role } }, 'keep its directory', (one) =>
    serviceOf === null ? one === 'OWNER' : isManager(one),
  );
