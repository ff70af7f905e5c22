import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { mergedMetadata } from '../../contract/external-ids.js';
import { conflict, required } from '../../contract/domain-error.js';
import { LIMITS } from '../../contract/limits.js';
import { newId } from '../../platform/ids.js';
import { isManager, mayManage, type Manager } from '../../policy/management.js';
import type { ServiceRole } from '../../policy/roles.js';
import { ApiKeysService, type IssuedApiKey, type RotatedKey } from '../api-keys/api-keys.service.js';
import type { ApiKey } from '../api-keys/entities/api-key.entity.js';
import type { CreateApiKeyDto, RotateApiKeyDto } from '../api-keys/public/api-key.request.dto.js';
import { ErasureService } from '../erasure/erasure.service.js';
import { requireUserNotHeld } from '../legal-holds/public/held.queries.js';
import { DeparturesService, type Departed } from '../organizations/members/departures.service.js';
import { MembersService, type UpdatedMember } from '../organizations/members/members.service.js';
import {
  OrganizationTransactions,
  type LockedOrganization,
} from '../organizations/organization-transactions.service.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { forbidden, requireRole } from '../organizations/public/organization-requirements.queries.js';
import { UsersService } from '../users/users.service.js';
import type { CreateServiceAccountDto, UpdateServiceAccountDto } from './service-account.dto.js';
import {
  findRestricted,
  findServiceAccount,
  listServiceAccounts,
  type ServiceAccount,
} from './service-accounts.queries.js';

export interface CreatedServiceAccount {
  readonly account: ServiceAccount;
  readonly issued: IssuedApiKey;
}

export interface ReadServiceAccount {
  readonly account: ServiceAccount;
  readonly keys: readonly ApiKey[];
}

/** With the webhooks that a lower role has disabled. */
export type UpdatedServiceAccount = ServiceAccount & Pick<UpdatedMember, 'disabledWebhooks'>;

type ServiceWork<T> = (
  manager: EntityManager,
  account: ServiceAccount,
  organization: LockedOrganization,
) => Promise<T>;

/**
 * Service accounts of organizations, managed by those who manage members with the same role. They stay when the member
 * who created them leaves. All changes happen with the organization locked.
 */
@Injectable()
export class ServiceAccountsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly organizations: OrganizationsService,
    private readonly transactions: OrganizationTransactions,
    private readonly members: MembersService,
    private readonly departures: DeparturesService,
    private readonly users: UsersService,
    private readonly apiKeys: ApiKeysService,
    private readonly erasure: ErasureService,
  ) {}

  /** Returns all, ordered by name, to those who manage members. */
  async list(caller: Manager, organizationId: string): Promise<ServiceAccount[]> {
    await this.requireManager(caller, organizationId);
    return listServiceAccounts(this.dataSource.manager, organizationId);
  }

  /** Returns one with those of its keys that the caller's key knows, as the list of a user has them. 404 `SERVICE_ACCOUNT_NOT_FOUND`. */
  async get(caller: Manager, organizationId: string, id: string): Promise<ReadServiceAccount> {
    await this.requireManager(caller, organizationId);
    const account = await requireAccount(this.dataSource.manager, organizationId, id);
    return { account, keys: await this.apiKeys.list(account.id, caller) };
  }

  /** 403 `FORBIDDEN` for a role or a key beyond those of the caller; 409 `CONFLICT` if there are too many. */
  async create(
    who: Manager,
    organizationId: string,
    { role, external_id: externalId, metadata, ...key }: Readonly<CreateServiceAccountDto>,
  ): Promise<CreatedServiceAccount> {
    return this.transactions.manage(who, organizationId, async (manager, organization) => {
      requireManagerOf(organization, role, 'create a service account with this role');
      const { id } = organization;
      const { name, folders = [] } = key;
      if ((await listServiceAccounts(manager, id)).length >= LIMITS.serviceAccounts) {
        throw conflict(
          `An organization can have at most ${LIMITS.serviceAccounts} service accounts; delete one first.`,
        );
      }
      const userId = newId();
      // Its address is nobody's: RFC 2606 reserves the domain.
      const email = `${userId}@service-accounts.invalid`;
      const fixed = { emailVerified: false, plan: 'FREE', serviceOf: id } as const;
      const given = { id: userId, email, name, externalId, metadata };
      const user = await this.users.createWithin(manager, { ...fixed, ...given });
      const restricted = await findRestricted(manager, id, folders);
      await this.members.join(manager, id, { userId, role, folderIds: restricted });
      const issued = await this.apiKeys.create(userId, key, who, { within: manager });
      return { account: { ...user, role }, issued };
    });
  }

  async update(
    who: Manager,
    organizationId: string,
    id: string,
    changes: Readonly<UpdateServiceAccountDto>,
  ): Promise<UpdatedServiceAccount> {
    return this.change(who, organizationId, id, async (manager, account, organization) => {
      const { name = account.name, role = account.role } = changes;
      const { external_id: externalId = account.externalId } = changes;
      const metadata = mergedMetadata(account.metadata, changes.metadata) ?? account.metadata;
      requireManagerOf(organization, role, 'give a service account this role');
      const columns = { name, externalId, metadata };
      await this.users.updateWithin(manager, { id: account.id, serviceOf: organization.id }, columns);
      const key = { organizationId: organization.id, userId: account.id };
      const disabledWebhooks = role === account.role ? [] : await this.members.setRole(manager, key, role);
      return { ...account, ...columns, role, disabledWebhooks };
    });
  }

  /** Deletes it: its keys no longer work, and its recordings pass to `newOwner`, by default to the caller. */
  async delete(
    who: Manager,
    organizationId: string,
    id: string,
    { newOwner }: { readonly newOwner?: string } = {},
  ): Promise<Departed> {
    return this.change(who, organizationId, id, async (manager, account, organization) => {
      const { id: userId, role } = account;
      await requireUserNotHeld(manager, who, userId);
      const removedBy = organization.actor.userId;
      const departure = { organizationId: organization.id, userId, role, newOwner, removedBy };
      const departed = await this.departures.end(manager, departure);
      await this.erasure.begin(manager, { of: 'user', userId, email: null });
      await this.users.deleteWithin(manager, userId);
      return departed;
    });
  }

  async createKey(
    who: Manager,
    organizationId: string,
    id: string,
    input: Readonly<CreateApiKeyDto>,
  ): Promise<IssuedApiKey> {
    return this.change(who, organizationId, id, (manager, account) =>
      this.apiKeys.create(account.id, input, who, { within: manager }),
    );
  }

  async rotateKey(
    who: Manager,
    organizationId: string,
    id: string,
    keyId: string,
    input: Readonly<RotateApiKeyDto>,
  ): Promise<RotatedKey> {
    return this.change(who, organizationId, id, (manager, account) =>
      this.apiKeys.rotate(account.id, keyId, input, who, manager),
    );
  }

  async revokeKey(who: Manager, organizationId: string, id: string, keyId: string): Promise<void> {
    await this.change(who, organizationId, id, (manager, account) =>
      this.apiKeys.revoke(account.id, keyId, who, manager),
    );
  }

  private async change<T>(
    who: Manager,
    organizationId: string,
    id: string,
    work: ServiceWork<T>,
  ): Promise<T> {
    return this.transactions.manage(who, organizationId, async (manager, organization) => {
      const account = await requireAccount(manager, organization.id, id);
      requireManagerOf(organization, account.role, 'manage this service account');
      return work(manager, account, organization);
    });
  }

  private async requireManager(caller: Manager, organizationId: string): Promise<void> {
    const role = await this.organizations.requireMember(caller, organizationId);
    if (!isManager(role)) throw forbidden(role, 'read service accounts', isManager);
  }
}

async function requireAccount(
  manager: EntityManager,
  organizationId: string,
  id: string,
): Promise<ServiceAccount> {
  return required(await findServiceAccount(manager, organizationId, id), 'SERVICE_ACCOUNT_NOT_FOUND');
}

const requireManagerOf = (organization: LockedOrganization, role: ServiceRole, what: string): void =>
  requireRole(organization, what, (other) => mayManage(other, role));
