import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  OPERATING,
  requireOperator,
  requireReachOfEverything,
  requireScopes,
} from '../api-keys/public/key-requirements.js';
import { Clock } from '../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { mergedMetadata, type MetadataChanges } from '../../contract/external-ids.js';
import { conflict, invalid } from '../../contract/domain-error.js';
import { newId } from '../../platform/ids.js';
import { changedBy, type Caller, type ChangedBy } from '../../policy/caller.js';
import { COMMAND_LINE, type Manager } from '../../policy/management.js';
import { planMadeBy, type FeatureFlags, type Subscription } from '../../policy/plans.js';
import { mapViolations } from '../../platform/database/database-errors.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { counted } from '../../lib/text.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { ErasureService } from '../erasure/erasure.service.js';
import { findPerson } from '../users/public/users.queries.js';
import { requireOrganizationNotHeld } from '../legal-holds/public/held.queries.js';
import { BrandingService } from './branding/branding.service.js';
import { membershipColumns } from './entities/membership.columns.js';
import { OrganizationMember } from './entities/organization-member.entity.js';
import { Organization } from './entities/organization.entity.js';
import { enqueuePurge, RECORDING_PURGES, type OrganizationPurge } from './public/recording-purges.js';
import { requireReachOfOrganization } from './public/organization-requirements.queries.js';
import { requireRoomToOwn } from './members/members.service.js';
import { OrganizationTransactions } from './organization-transactions.service.js';
import type { CreateOrganizationDto } from './dto/organization.request.dto.js';
import {
  countRecordings,
  lockSharedRecordings,
  requireFreeForOrganization,
} from './organizations.queries.js';
import { OrganizationsService, type OrganizationDetails } from './organizations.service.js';
import { transactionBy } from '../../platform/database/transaction-by.js';

type OwnColumn =
  | 'name'
  | 'membersMayTakeRecordings'
  | 'apiKeyMaxDays'
  | 'binDays'
  | 'rememberVoices'
  | 'ssoProvider'
  | 'oauthClients'
  | 'externalId'
  | 'brandingAccent'
  | 'brandingDomain';

/** What an OWNER changes, and the plan and the subscription, which an operator changes. */
type OrganizationChanges = Readonly<Partial<Pick<Organization, OwnColumn | 'plan'>>> & {
  readonly subscription?: Partial<Subscription>;
  readonly features?: Partial<FeatureFlags>;
  readonly metadata?: MetadataChanges;
};

const TAKEN = {
  organizations_branding_domain_key: () => conflict('branding.domain: another organization has this domain.'),
};
const CHANGE_TERMS = 'change the plan and the subscription';

/** Creates, changes and deletes organizations. */
@Injectable()
export class OrganizationChangesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: OrganizationTransactions,
    private readonly organizations: OrganizationsService,
    private readonly apiKeys: ApiKeysService,
    private readonly jobs: JobsService,
    private readonly erasure: ErasureService,
    private readonly branding: BrandingService,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'defaultPlan' | 'identityProviders'>,
  ) {}

  /** Creates an organization of the caller or, for an operator, of the user with this id. */
  async createFor(
    caller: Caller,
    { owner_id: ownerId = caller.id, ...body }: CreateOrganizationDto,
  ): Promise<OrganizationDetails> {
    if (ownerId === caller.id && body.plan === undefined) return this.create(caller, body);
    requireScopes(caller, ['users:manage']);
    requireOperator(caller, 'create organizations for others, or with a plan', 'users:manage');
    const owner = await findPerson(this.dataSource.manager, ownerId);
    if (!owner) throw invalid('owner_id: must be the id of a user who is not a service account');
    return this.create(owner, body, caller);
  }

  /**
   * Creates an organization, of which the user becomes OWNER. Without `plan`, it is the one that they may give. 409
   * `CONFLICT` for an OWNER of too many.
   */
  async create(
    owner: Pick<Caller, 'id' | 'operator' | 'plan'>,
    {
      name,
      plan = planMadeBy(owner, this.settings.defaultPlan),
      external_id: externalId,
      metadata,
    }: Omit<CreateOrganizationDto, 'owner_id'>,
    by: ChangedBy = owner,
  ): Promise<OrganizationDetails> {
    requireReachOfEverything(by, 'create one');
    return transactionBy(this.dataSource, changedBy(by), async (manager) => {
      await requireRoomToOwn(manager, owner.id);
      const id = newId();
      const createdAt = this.clock.now();
      const terms = { plan, subscriptionStatus: 'active' } as const;
      const organization = { id, name, externalId, metadata, ...terms, createdAt };
      await manager.getRepository(Organization).insert(organization);
      const member = { organizationId: id, userId: owner.id, role: 'OWNER', createdAt } as const;
      await manager.getRepository(OrganizationMember).insert(member);
      await requireFreeForOrganization(manager, { id, externalId });
      return this.organizations.get(by.id === owner.id ? owner : COMMAND_LINE, id, manager);
    });
  }

  /**
   * Plan and subscription are changed by an operator, who need not be a member, everything else by an OWNER: 403
   * `FORBIDDEN` for the request as a whole otherwise. 409 `CONFLICT` for an OWNER whose own key would no longer be
   * accepted, so that nobody locks themselves out, or for a domain of another organization.
   */
  async update(
    who: Pick<Caller, 'id' | 'operator' | 'apiKey'> | typeof COMMAND_LINE,
    organizationId: string,
    { plan, subscription, ...asked }: OrganizationChanges,
  ): Promise<OrganizationDetails> {
    this.requireProvider(asked.ssoProvider);
    const { brandingDomain: given } = asked;
    const domain = given && (await this.branding.requireDomain(who, organizationId, given));
    const changes = { ...asked, brandingDomain: domain };
    const isOperator = who.id === null || who.operator;
    const ofOperators = plan !== undefined || subscription !== undefined;
    const own = Object.values(changes).some((value) => value !== undefined);
    const write = async (manager: EntityManager, id: string): Promise<OrganizationDetails> => {
      // TypeORM leaves columns as they are that are undefined here.
      const terms = {
        plan,
        subscriptionStatus: subscription?.status,
        subscriptionEndsAt: subscription?.endsAt,
      };
      const features = changes.features && membershipColumns(changes.features).features;
      const organizations = manager.getRepository(Organization);
      const { metadata: current } = await organizations.findOneByOrFail({ id });
      const metadata = mergedMetadata(current, changes.metadata);
      const columns = { ...changes, features, metadata, ...terms };
      await requireFreeForOrganization(manager, { id, externalId: changes.externalId });
      await mapViolations(TAKEN, () => organizations.update({ id }, columns));
      const { apiKeyMaxDays, ssoProvider } = changes;
      if (who.id !== null && (typeof apiKeyMaxDays === 'number' || typeof ssoProvider === 'string')) {
        const [key] = await this.apiKeys.findFacts([who.apiKey.id], manager);
        if (key?.refusedBy.includes(id)) throw conflict(explainLockout(changes));
      }
      return this.organizations.get(who, id, manager);
    };
    if (ofOperators && !isOperator) {
      await this.transactions.change(who, organizationId, async () => requireOperator(who, CHANGE_TERMS));
    }
    if (ofOperators) OPERATING.note({ what: CHANGE_TERMS });
    if (own) {
      return this.transactions.own(who, organizationId, (manager, { id }) => write(manager, id));
    }
    await requireReachOfOrganization(this.dataSource.manager, who, organizationId);
    return transactionBy(this.dataSource, changedBy(who), async (manager) => {
      await this.transactions.lock(manager, organizationId);
      return write(manager, organizationId);
    });
  }

  private requireProvider(name: string | null | undefined): void {
    const names = this.settings.identityProviders.map((provider) => provider.name);
    if (typeof name !== 'string' || names.includes(name)) return;
    throw invalid(
      `sso_provider: must be one of ${names.join(', ') || 'IDENTITY_PROVIDERS, which are not set'}, or null`,
    );
  }

  /**
   * 409 `CONFLICT` while it has recordings, unless these are to be deleted with it, and `LEGAL_HOLD` while it has a hold.
   * Returns how many recordings are deleted. They may be more than one request can delete: the memberships end at once,
   * and with them all access; a job deletes the rest.
   */
  async delete(who: Manager, organizationId: string, withRecordings: boolean): Promise<number> {
    return this.transactions.own(who, organizationId, async (manager, { id }) => {
      await lockSharedRecordings(manager, id);
      await requireOrganizationNotHeld(manager, who, id);
      // Before counting: a transaction that was adding a recording has ended before its member is removed.
      await manager.getRepository(OrganizationMember).delete({ organizationId: id });
      // Service accounts are deleted only together with the organization.
      await this.apiKeys.revokeOfServiceAccounts(manager, id);
      const { count, deleted } = await countRecordings(manager, id);
      if (count > 0 && !withRecordings) {
        const restorable = deleted > 0 ? ` (deleted ones that can be restored: ${deleted})` : '';
        throw conflict(
          `The organization has ${counted(count, 'recording')}${restorable}. Move its recordings elsewhere, or send recordings=delete to delete them too.`,
        );
      }
      await manager.getRepository(Organization).update({ id }, { deletedAt: this.clock.now() });
      const purge: OrganizationPurge = { organizationId: id };
      await enqueuePurge(this.jobs, manager, RECORDING_PURGES.ofOrganization, purge);
      await this.erasure.begin(manager, { of: 'organization', organizationId: id });
      return count;
    });
  }

  /**
   * Removes one that has been deleted, once its recordings are. Its webhooks go with it, and what was being sent when
   * the deletion began has been noted.
   */
  async finishDeletion(id: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.getRepository(Organization).delete({ id });
      await this.erasure.begin(manager, { of: 'organization', organizationId: id });
    });
  }
}

/** Nobody locks themselves out. */
function explainLockout({ apiKeyMaxDays, ssoProvider }: OrganizationChanges): string {
  const refused = 'The organization would no longer accept the API key or the session of this request';
  return typeof ssoProvider === 'string'
    ? `${refused}. Sign in with ${ssoProvider} first, or use a key that was made in such a session.`
    : `${refused}, which does not expire within ${counted(apiKeyMaxDays ?? 0, 'day')} of its creation. Rotate the key with expires_in first.`;
}
