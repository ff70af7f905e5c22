import { escapeLike } from '../../../platform/database/sql.js';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type EntityManager, type Repository } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { conflict, DomainError, invalid, required } from '../../../contract/domain-error.js';
import { mapViolations, type Violations } from '../../../platform/database/database-errors.js';
import { cursorPage, readCursor, type CursorPage } from '../../../platform/http/replies/cursor.js';
import type { CreateInvitationDto, ListInvitationsDto } from './invitation.dto.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { isUuid, newId } from '../../../platform/ids.js';
import { hashSecret, randomBase62 } from '../../../platform/secrets/secrets.js';
import type { Caller } from '../../../policy/caller.js';
import { isManager, mayManage } from '../../../policy/management.js';
import { reachesFolder } from '../../../policy/reach.js';
import type { Role } from '../../../policy/roles.js';
import { forbidden, requireRole } from '../public/organization-requirements.queries.js';
import { OrganizationTransactions, type LockedOrganization } from '../organization-transactions.service.js';
import { OrganizationsService } from '../organizations.service.js';
import { InvitationFolder, Invitation } from './entities/invitation.entity.js';
import { InvitationMailService } from './invitation-mail.service.js';
import { Folder } from '../entities/folder.entity.js';
import { memberFlags } from '../public/feature-flags.dto.js';
import { membershipColumns } from '../entities/membership.columns.js';
import { requireRoomToInvite, findFoldersOfInvitations } from './invitations.queries.js';
import { DAY_MS, SECOND_MS } from '../../../lib/durations.js';
import { LIMITS } from '../../../contract/limits.js';

/** An invitation as its managers see it. */
export interface ManagedInvitation {
  readonly invitation: Invitation;
  readonly folderIds: readonly string[];
  /** The token for the sender to pass on, where no mail server is configured; known only when it is issued. */
  readonly token: string | null;
  readonly url: string | null;
}

/** Invites people to organizations, for members who manage others. */
@Injectable()
export class InvitationsService {
  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    private readonly transactions: OrganizationTransactions,
    private readonly organizations: OrganizationsService,
    private readonly mails: InvitationMailService,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'mailLanguage'>,
  ) {}

  /** 403 `FORBIDDEN` for roles that the caller does not manage; 409 `CONFLICT` for the invited and for too many. */
  async create(
    caller: Caller,
    organizationId: string,
    { email, role, features, folder_ids: folderIds = [], language }: CreateInvitationDto,
  ): Promise<ManagedInvitation> {
    return this.transactions.manage(caller, organizationId, async (manager, organization) => {
      requireInviter(organization, role);
      const now = this.clock.now();
      await requireRoomToInvite(manager, email, { organizationId: organization.id, now });
      const ids = In(folderIds.filter(isUuid));
      const usable = { organizationId: organization.id, id: ids, active: true, restricted: true };
      if ((await manager.countBy(Folder, usable)) < folderIds.length)
        throw invalid('folder_ids: must be ids of active, restricted folders of the organization');
      const token = newToken();
      const invitation = this.invitations.create({
        id: newId(),
        organizationId: organization.id,
        email,
        role,
        ...membershipColumns(features && memberFlags(features)),
        language: language ?? this.settings.mailLanguage,
        invitedBy: caller.id,
        mailError: null,
        createdAt: now,
        ...this.sending(token, now),
      });
      await mapViolations(ALREADY_INVITED, () => manager.getRepository(Invitation).insert(invitation));
      const { id, organizationId: of } = invitation;
      const named = folderIds.map((folderId) => ({ invitationId: id, folderId, organizationId: of }));
      if (named.length > 0) await manager.getRepository(InvitationFolder).insert(named);
      return this.issued(manager, id, token);
    });
  }

  /** Returns a page, newest first, including expired ones. 403 `FORBIDDEN` for members who manage no others. */
  async list(
    caller: Caller,
    organizationId: string,
    { search, limit, cursor }: ListInvitationsDto,
  ): Promise<CursorPage<ManagedInvitation>> {
    const after = readCursor(cursor);
    const role = await this.organizations.requireMember(caller, organizationId);
    if (!isManager(role)) throw forbidden(role, 'list invitations', isManager);
    const query = this.invitations
      .createQueryBuilder('i')
      .where({ organizationId })
      .orderBy({ 'i.createdAt': 'DESC', 'i.id': 'DESC' })
      .limit(limit + 1);
    if (search) query.andWhere('lower(i.email) LIKE lower(:search)', { search: `%${escapeLike(search)}%` });
    if (after) query.andWhere('(i.createdAt, i.id) < (:createdAt, :id)', after);
    const page = cursorPage(await query.getMany(), limit, (invitation) => invitation);
    const ids = page.rows.map(({ id }) => id);
    const folders = await findFoldersOfInvitations(this.invitations.manager, ids);
    const rows = page.rows.map((invitation) => ({
      invitation,
      folderIds: (folders.get(invitation.id) ?? []).filter((id) => reachesFolder(caller.apiKey, id)),
      token: null,
      url: null,
    }));
    return { ...page, rows };
  }

  /** Its link stops working. 404 `INVITATION_NOT_FOUND`. */
  async delete(caller: Caller, organizationId: string, invitationId: string): Promise<void> {
    await this.transactions.manage(caller, organizationId, async (manager, organization) => {
      const { id } = await findInvitation(manager, organization, invitationId);
      await manager.getRepository(Invitation).delete({ id });
    });
  }

  /** Sends it again, in the caller's name, with a new link and the full time; the earlier link stops working. */
  async resend(caller: Caller, organizationId: string, invitationId: string): Promise<ManagedInvitation> {
    return this.transactions.manage(caller, organizationId, async (manager, organization) => {
      const { id, sentAt } = await findInvitation(manager, organization, invitationId);
      const now = this.clock.now();
      const wait = sentAt.getTime() + LIMITS.invitationResendSeconds * SECOND_MS - now.getTime();
      if (this.mails.enabled && wait > 0) {
        const message = 'This invitation has just been sent; see Retry-After.';
        const headers = { 'Retry-After': String(Math.ceil(wait / SECOND_MS)) };
        throw new DomainError('RATE_LIMITED', message, { headers });
      }
      const token = newToken();
      const columns = { ...this.sending(token, now), invitedBy: caller.id, mailError: null };
      await manager.getRepository(Invitation).update({ id }, columns);
      return this.issued(manager, id, token);
    });
  }

  private sending(token: string, now: Date) {
    return {
      tokenHash: hashSecret(token),
      mailStatus: this.mails.enabled ? ('queued' as const) : ('none' as const),
      sentAt: now,
      expiresAt: new Date(now.getTime() + LIMITS.invitationDays * DAY_MS),
    };
  }

  /** Enqueues its email or, where no mail server is configured, returns the link. */
  private async issued(manager: EntityManager, id: string, token: string): Promise<ManagedInvitation> {
    const invitation = await manager.getRepository(Invitation).findOneByOrFail({ id });
    const folderIds = (await findFoldersOfInvitations(manager, [id])).get(id) ?? [];
    if (this.mails.enabled) {
      await this.mails.enqueue(manager, invitation, token);
      return { invitation, folderIds, token: null, url: null };
    }
    return { invitation, folderIds, token, url: this.publicUrl.resolve(`/join/${token}`) };
  }
}

const newToken = (): string => `inv_${randomBase62()}`;

const requireInviter = (organization: LockedOrganization, role: Role): void =>
  requireRole(organization, `invite a member as ${role}`, (other) => mayManage(other, role));

/** Finds an invitation that the caller could have sent. */
async function findInvitation(
  manager: EntityManager,
  organization: LockedOrganization,
  id: string,
): Promise<Invitation> {
  const one = { id, organizationId: organization.id };
  const found = isUuid(id) && (await manager.getRepository(Invitation).findOneBy(one));
  const invitation = required(found, 'INVITATION_NOT_FOUND');
  requireInviter(organization, invitation.role);
  return invitation;
}

const ALREADY_INVITED: Violations = {
  invitations_email_key: () =>
    conflict(
      'This person has already been invited; POST /api/v1/organizations/{id}/invitations/{invitationId}/resend sends that invitation again.',
    ),
};
