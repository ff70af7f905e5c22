import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { Clock } from '../../platform/clock/clock.js';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import type { Caller } from '../../policy/caller.js';
import type { COMMAND_LINE } from '../../policy/management.js';
import { reachOf, requireWholeOrganizations, type Asker } from '../../policy/reach.js';
import type { FeatureFlags } from '../../policy/plans.js';
import { ROLE_CATALOG, type Role } from '../../policy/roles.js';
import type { OrganizationTerms } from '../quotas/public/quota-terms.js';
import { QuotasService, type Quotas } from '../quotas/quotas.service.js';
import type { Organization } from './entities/organization.entity.js';
import type { OrganizationTransfer } from './entities/organization-transfer.entity.js';
import type { NameListQuery, NamePage } from './name-list.queries.js';
import {
  findOrganizations,
  findRole,
  listOrganizationsOfUser,
  type DetailsRow,
  type ListedRow,
  type Viewing,
} from './organizations.queries.js';
import {
  REACHING_ONE,
  requireReachOfOrganization,
  forbidden,
  MEMBERSHIP,
} from './public/organization-requirements.queries.js';
import { ReplyChecks } from '../../platform/idempotency/reply-checks.service.js';
import { NOT_A_MEMBER } from '../../policy/advice.js';
import { logoPath, type Brand } from './public/brand.sql.js';
import { decodeFeatureFlags } from './public/feature-flags.sql.js';

export interface OrganizationOfCaller extends Pick<
  ListedRow,
  'id' | 'name' | 'externalId' | 'metadata' | 'role' | 'memberCount'
> {
  /** Null for those who cannot see all recordings. */
  readonly quotas: Quotas | null;
}

type OrganizationColumns = Readonly<
  Omit<Organization, 'id' | 'name' | 'metadata' | 'features' | 'deletedAt' | `branding${string}`>
>;

/** An offer of the ownership. */
export type PendingTransfer = Pick<
  OrganizationTransfer,
  'fromUserId' | 'toUserId' | 'createdAt' | 'expiresAt'
>;

export interface OrganizationDetails extends Omit<OrganizationOfCaller, 'role'>, OrganizationColumns {
  /** Null for operators who are not members, and on the command line. */
  readonly role: Role | null;
  readonly features: FeatureFlags;
  readonly branding: Brand & { readonly logoUrl: string | null };
  /** Null for those who could neither accept nor cancel it. */
  readonly transfer: PendingTransfer | null;
}

type Viewer = (Pick<Caller, 'id' | 'operator'> & Asker) | typeof COMMAND_LINE;

/** Who reads what belongs to an organization. */
type Reader = Required<Asker> | typeof COMMAND_LINE;

/** Shows organizations. Changes are in `OrganizationChangesService`. */
@Injectable()
export class OrganizationsService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly quotas: QuotasService,
    private readonly replies: ReplyChecks,
    private readonly clock: Clock,
    private readonly publicUrl: PublicUrl,
  ) {}

  onModuleInit(): void {
    this.replies.decideBy(REACHING_ONE, (caller: Caller, { organizationId }) =>
      requireReachOfOrganization(this.dataSource.manager, caller, organizationId),
    );
    this.replies.decideBy(MEMBERSHIP, async (caller: Caller, { organizationId, whole, what, roles }) => {
      const role = await this.requireMember(caller, organizationId);
      if (whole) requireWholeOrganizations(caller, 'manage the organization');
      if (what && !roles!.includes(role)) throw forbidden(role, what, (other) => roles!.includes(other));
    });
  }

  /** Returns the caller's organizations, ordered by name. */
  async list(caller: Caller, query: NameListQuery = {}): Promise<NamePage<OrganizationOfCaller>> {
    const viewing = { ...this.viewingOf(caller), reach: reachOf(caller) };
    const page = await listOrganizationsOfUser(this.dataSource.manager, viewing, query);
    const rows = page.rows.map((row) => ({ ...row, quotas: this.quotasFor(caller, row) }));
    return { ...page, rows };
  }

  /**
   * Returns one to members, operators and the command line: 404 `ORGANIZATION_NOT_FOUND`, or 403 `FORBIDDEN` for
   * others and for keys that it does not accept. A change passes the `manager` of its transaction, so that it replies
   * with what it has done, not with what came after it.
   */
  async get(
    viewer: Viewer,
    organizationId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<OrganizationDetails> {
    await requireReachOfOrganization(manager, viewer, organizationId);
    const [row] = await findOrganizations(manager, this.viewingOf(viewer), [organizationId]);
    if (!row) throw new DomainError('ORGANIZATION_NOT_FOUND');
    if (row.role === null && viewer.id !== null && !viewer.operator) throw notMember();
    return this.toDetails(viewer, row);
  }

  /** Finds those of these that the user is a member of, as seen by the transaction of `manager`. */
  async findForMember(
    manager: EntityManager,
    member: Asker,
    organizationIds: readonly string[],
  ): Promise<readonly OrganizationDetails[]> {
    const rows = await findOrganizations(manager, this.viewingOf(member), organizationIds);
    return rows.filter(({ role }) => role !== null).map((row) => this.toDetails(member, row));
  }

  /**
   * 404 when there is no such organization, 403 when the caller is not a member of it or it does not accept their key;
   * returns the caller's role.
   */
  async requireMember(caller: Reader, organizationId: string): Promise<Role> {
    await requireReachOfOrganization(this.dataSource.manager, caller, organizationId);
    const role = await findRole(this.dataSource.manager, organizationId, caller.id);
    if (role === undefined) throw new DomainError('ORGANIZATION_NOT_FOUND');
    if (caller.id === null) return 'OWNER';
    if (role === null) throw notMember();
    MEMBERSHIP.note({ organizationId });
    return role;
  }

  private viewingOf({ id }: { readonly id: string | null }): Viewing {
    return { viewerId: id, today: this.quotas.today(), now: this.clock.now() };
  }

  private toDetails(viewer: Asker, row: DetailsRow): OrganizationDetails {
    return detailsOf(viewer.id, row, this.quotasFor(viewer, row), this.publicUrl);
  }

  /** Null for those who do not see all recordings, because of their role or because their API key is for folders. */
  private quotasFor(viewer: Asker, row: Pick<DetailsRow, 'role' | 'use'> & OrganizationTerms): Quotas | null {
    const seesAll = row.role === null || ROLE_CATALOG[row.role].seesAll;
    return seesAll && reachOf(viewer).folderIds === null ? this.quotas.forOrganization(row) : null;
  }
}

const notMember = (): DomainError => new DomainError('FORBIDDEN', NOT_A_MEMBER);

/** What a viewer sees of an organization; `viewerId` is null on the command line. */
export function detailsOf(
  viewerId: string | null,
  row: DetailsRow,
  quotas: Quotas | null,
  publicUrl: PublicUrl,
): OrganizationDetails {
  const { logo } = row.branding;
  return {
    ...row,
    quotas,
    features: decodeFeatureFlags(row.flags),
    branding: { ...row.branding, logoUrl: logo && publicUrl.resolve(logoPath(logo)) },
    subscriptionStatus: row.subscription_status,
    subscriptionEndsAt: row.subscription_ends_at,
    transfer: transferFor(viewerId, row),
  };
}

function transferFor(viewerId: string | null, row: DetailsRow): PendingTransfer | null {
  const { from_user_id: fromUserId, to_user_id: toUserId, role } = row;
  if (fromUserId === null || (role !== 'OWNER' && toUserId !== viewerId)) return null;
  return { fromUserId, toUserId, createdAt: row.offered_at, expiresAt: row.offer_expires_at };
}
