import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { LessThanOrEqual, type DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { mapViolations, type Violations } from '../../../platform/database/database-errors.js';
import { escapeLike } from '../../../platform/database/like.js';
import { cursorPage, type CursorPage, type CursorPosition } from '../../../platform/http/replies/cursor.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { isUuid, newId } from '../../../platform/ids.js';
import { hashSecret, randomBase62 } from '../../../platform/secrets/secrets.js';
import type { Caller } from '../../../policy/caller.js';
import { isManager, mayManage, type Actor, type MemberFlags } from '../../../policy/management.js';
import { FEATURES } from '../../../policy/plans.js';
import type { Role } from '../../../policy/roles.js';
import { forbidden } from '../public/forbidden.error.js';
import { OrganizationTransactions, type LockedOrganization } from '../organization-transactions.service.js';
import { OrganizationsService } from '../organizations.service.js';
import { findUserByEmail } from '../../users/public/users.queries.js';
import { InvitationFolder } from './entities/invitation-folder.entity.js';
import { Invitation, type InvitationLanguage } from './entities/invitation.entity.js';
import { InvitationMailService } from './invitation-mail.service.js';

export interface NewInvitation {
  readonly email: string;
  readonly role: Role;
  readonly flags?: Partial<MemberFlags>;
  /** Restricted folders that will be open to the member. */
  readonly folderIds?: readonly string[];
  /** Of the email; by default that of the setting `MAIL_LANGUAGE`. */
  readonly language?: InvitationLanguage;
}

/** An invitation as its managers see it. */
export interface ManagedInvitation {
  readonly invitation: Invitation;
  readonly folderIds: readonly string[];
  /** Where no mail server is configured, the token, for the sender to pass on; known only when it is created or sent again. */
  readonly token: string | null;
  readonly url: string | null;
}

export interface InvitationListQuery {
  readonly search?: string;
  readonly limit: number;
  readonly after?: CursorPosition;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long an invitation can be accepted. */
const VALID_MS = 7 * DAY_MS;
/** Between two emails of an invitation. */
const RESEND_AFTER_MS = 60 * 1000;

/** `$2` are folders of the organization `$1` that cannot be opened to a member. */
const UNUSABLE_FOLDERS = `
  SELECT id FROM unnest($2::uuid[]) AS given (id)
  WHERE NOT EXISTS (SELECT FROM folders f
    WHERE f.organization_id = $1 AND f.id = given.id AND f.active AND f.restricted)`;

/** Invites people to organizations, for members who manage others. */
@Injectable()
export class InvitationsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly transactions: OrganizationTransactions,
    private readonly organizations: OrganizationsService,
    private readonly mails: InvitationMailService,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'mailLanguage'>,
  ) {}

  /** 403 `FORBIDDEN` for roles that the caller does not manage; 409 `CONFLICT` for members, invited people and too many. */
  async create(caller: Caller, organizationId: string, input: NewInvitation): Promise<ManagedInvitation> {
    return this.transactions.manage(caller, organizationId, async (manager, organization) => {
      requireRole(organization.actor, input.role);
      await this.requireRoom(manager, organization, input.email);
      const folderIds = input.folderIds ?? [];
      await requireFolders(manager, organization.id, folderIds);
      const token = newToken();
      const now = this.clock.now();
      const invitation = manager.create(Invitation, {
        id: newId(),
        organizationId: organization.id,
        email: input.email,
        role: input.role,
        ...columnsOf(input.flags),
        language: input.language ?? this.settings.mailLanguage,
        invitedBy: caller.id,
        mailError: null,
        createdAt: now,
        ...this.sending(token, now),
      });
      await mapViolations(ALREADY_INVITED, () => manager.insert(Invitation, invitation));
      const { id } = invitation;
      const named = folderIds.map((folderId) => ({
        invitationId: id,
        folderId,
        organizationId: organization.id,
      }));
      if (named.length > 0) await manager.insert(InvitationFolder, named);
      return this.issued(manager, id, token);
    });
  }

  /** A page of the invitations, newest first, including expired ones. 403 `FORBIDDEN` for members who manage no others. */
  async list(
    caller: Caller,
    organizationId: string,
    { search, limit, after }: InvitationListQuery,
  ): Promise<CursorPage<ManagedInvitation>> {
    const role = await this.organizations.requireMember(caller, organizationId);
    if (!isManager(role)) throw forbidden(role, 'list invitations');
    const query = this.dataSource.manager
      .createQueryBuilder(Invitation, 'i')
      .where({ organizationId })
      .orderBy({ 'i.createdAt': 'DESC', 'i.id': 'DESC' })
      .limit(limit + 1);
    if (search) query.andWhere('lower(i.email) LIKE lower(:search)', { search: `%${escapeLike(search)}%` });
    if (after) query.andWhere('(i.createdAt, i.id) < (:createdAt, :id)', after);
    const page = cursorPage(await query.getMany(), limit, (invitation) => invitation);
    const folders = await foldersOf(
      this.dataSource.manager,
      page.rows.map(({ id }) => id),
    );
    const rows = page.rows.map((invitation) => ({
      invitation,
      folderIds: folders.get(invitation.id) ?? [],
      token: null,
      url: null,
    }));
    return { ...page, rows };
  }

  /** Its link stops working. 404 `INVITATION_NOT_FOUND`. */
  async delete(caller: Caller, organizationId: string, invitationId: string): Promise<void> {
    await this.transactions.manage(caller, organizationId, async (manager, organization) => {
      const { id } = await findInvitation(manager, organization, invitationId);
      await manager.delete(Invitation, { id });
    });
  }

  /** Sends it again, in the caller's name, with a new link and the full time; the earlier link stops working. */
  async resend(caller: Caller, organizationId: string, invitationId: string): Promise<ManagedInvitation> {
    return this.transactions.manage(caller, organizationId, async (manager, organization) => {
      const { id, sentAt } = await findInvitation(manager, organization, invitationId);
      const now = this.clock.now();
      const wait = sentAt.getTime() + RESEND_AFTER_MS - now.getTime();
      if (this.mails.enabled && wait > 0) throw tooSoon(wait);
      const token = newToken();
      const sending = this.sending(token, now);
      await manager.update(Invitation, { id }, { ...sending, invitedBy: caller.id, mailError: null });
      return this.issued(manager, id, token);
    });
  }

  private sending(token: string, now: Date) {
    return {
      tokenHash: hashSecret(token),
      mailStatus: this.mails.enabled ? ('queued' as const) : ('none' as const),
      sentAt: now,
      expiresAt: new Date(now.getTime() + VALID_MS),
    };
  }

  /** Enqueues its email or, where no mail server is configured, returns the link. */
  private async issued(manager: EntityManager, id: string, token: string): Promise<ManagedInvitation> {
    const invitation = await manager.findOneByOrFail(Invitation, { id });
    const folderIds = (await foldersOf(manager, [id])).get(id) ?? [];
    if (this.mails.enabled) {
      await this.mails.enqueue(manager, invitation, token);
      return { invitation, folderIds, token: null, url: null };
    }
    return { invitation, folderIds, token, url: this.publicUrl.of(`/join/${token}`) };
  }

  /** Expired invitations make room for new ones. */
  private async requireRoom(
    manager: EntityManager,
    { id: organizationId }: LockedOrganization,
    email: string,
  ): Promise<void> {
    const user = await findUserByEmail(manager, email);
    const isMember =
      user &&
      (await manager.query<object[]>(
        'SELECT FROM organization_members WHERE organization_id = $1 AND user_id = $2',
        [organizationId, user.id],
      ));
    if (isMember && isMember.length > 0) {
      throw new DomainError('CONFLICT', 'This person is already a member of the organization.');
    }
    const expired = { organizationId, expiresAt: LessThanOrEqual(this.clock.now()) };
    await manager
      .createQueryBuilder()
      .delete()
      .from(Invitation)
      .where(expired)
      .andWhere('lower(email) = lower(:email)', { email })
      .execute();
    if ((await manager.countBy(Invitation, { organizationId })) < LIMITS.invitations) return;
    await manager.delete(Invitation, expired);
    if ((await manager.countBy(Invitation, { organizationId })) < LIMITS.invitations) return;
    throw new DomainError(
      'CONFLICT',
      `An organization can have at most ${LIMITS.invitations} pending invitations. Delete some first.`,
    );
  }
}

const newToken = (): string => `inv_${randomBase62()}`;

function requireRole(actor: Actor, role: Role): void {
  if (!mayManage(actor.role, role)) throw forbidden(actor.role, `invite a member as ${role}`);
}

/** One that the caller could have sent. */
async function findInvitation(
  manager: EntityManager,
  { id: organizationId, actor }: LockedOrganization,
  id: string,
): Promise<Invitation> {
  const invitation = isUuid(id) ? await manager.findOneBy(Invitation, { id, organizationId }) : null;
  if (!invitation) throw new DomainError('INVITATION_NOT_FOUND');
  requireRole(actor, invitation.role);
  return invitation;
}

async function requireFolders(
  manager: EntityManager,
  organizationId: string,
  folderIds: readonly string[],
): Promise<void> {
  const unusable = folderIds.every(isUuid)
    ? await manager.query<object[]>(UNUSABLE_FOLDERS, [organizationId, folderIds])
    : [{}];
  if (unusable.length === 0) return;
  throw new DomainError(
    'VALIDATION_ERROR',
    'folder_ids: must be ids of active, restricted folders of the organization',
  );
}

async function foldersOf(
  manager: EntityManager,
  invitationIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows: { id: string; folders: string[] }[] = await manager.query(
    `SELECT invitation_id AS id, json_agg(folder_id ORDER BY folder_id) AS folders FROM invitation_folders
     WHERE invitation_id = ANY ($1) GROUP BY invitation_id`,
    [invitationIds],
  );
  return new Map(rows.map(({ id, folders }) => [id, folders]));
}

/** Omitted flags get their defaults. */
function columnsOf(flags: Partial<MemberFlags> = {}) {
  const features = Object.fromEntries(FEATURES.map((name) => [name, flags[name] ?? true]));
  return {
    features: features as Record<(typeof FEATURES)[number], boolean>,
    viewAllRecordings: flags.viewAllRecordings ?? false,
    viewFolderRecordings: flags.viewFolderRecordings ?? true,
  };
}

const ALREADY_INVITED: Violations = {
  invitations_email_key: () =>
    new DomainError('CONFLICT', 'This person has already been invited; resend that invitation.'),
};

function tooSoon(waitMs: number): DomainError {
  const seconds = String(Math.ceil(waitMs / 1000));
  const message = 'This invitation has just been sent; see Retry-After.';
  return new DomainError('RATE_LIMITED', message, { headers: { 'Retry-After': seconds } });
}
