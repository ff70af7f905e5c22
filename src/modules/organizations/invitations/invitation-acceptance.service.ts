import { Inject, Injectable } from '@nestjs/common';
import { IsNull, MoreThan, DataSource, Raw, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { requireReachOfEverything } from '../../api-keys/public/key-requirements.js';
import { Clock } from '../../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { conflict, DomainError, invalid } from '../../../contract/domain-error.js';
import { ERROR_CATALOG } from '../../../contract/error-catalog.js';
import { hashSecret } from '../../../platform/secrets/secrets.js';
import { anonymous, changedBy, type Caller, type RequestOrigin } from '../../../policy/caller.js';
import { mayManage } from '../../../policy/management.js';
import { planMadeBy } from '../../../policy/plans.js';
import type { Role, Membership } from '../../../policy/roles.js';
import { ApiKeysService } from '../../api-keys/api-keys.service.js';
import { MembersService } from '../members/members.service.js';
import { OrganizationTransactions } from '../organization-transactions.service.js';
import { MEMBERSHIP } from '../public/organization-requirements.queries.js';
import type { User } from '../../users/entities/user.entity.js';
import { findUserByEmail } from '../../users/public/users.queries.js';
import { UsersService, type NewUser } from '../../users/users.service.js';
import { InvitationFolder, Invitation } from './entities/invitation.entity.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';

/** What the holder of a token may know about an invitation. */
export interface OpenInvitation {
  readonly organization: { readonly id: string; readonly name: string };
  readonly inviter: string;
  readonly email: string;
  readonly membership: Membership;
  readonly expiresAt: Date;
  /**
   * Whether there is a user with the address, who accepts it with an API key. Null where the token was handed over: its
   * holder has not shown that the address is theirs, and learns nothing about it.
   */
  readonly hasUser: boolean | null;
}

export interface AcceptedInvitation {
  readonly organization: { readonly id: string; readonly name: string; readonly role: Role };
  readonly user: Pick<User, 'id' | 'email' | 'emailVerified' | 'name'>;
  /** The first API key of a new user, known only now; null for an existing user. */
  readonly key: string | null;
}

/** Accepts invitations: by a new person, who becomes a user, or by a user with an API key. */
@Injectable()
export class InvitationAcceptanceService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly organizations: OrganizationTransactions,
    private readonly members: MembersService,
    private readonly users: UsersService,
    private readonly apiKeys: ApiKeysService,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'defaultPlan'>,
  ) {}

  /** 404 `INVITATION_NOT_FOUND` also for one whose sender may no longer invite for its role. */
  async find(token: string): Promise<OpenInvitation> {
    const { manager } = this.dataSource;
    const { invitation, organization, inviter } = await this.load(manager, withToken(token));
    const { email, expiresAt } = invitation;
    const hasUser = wasEmailed(invitation) ? (await findUserByEmail(manager, email)) !== null : null;
    return { organization, inviter, email, membership: invitation, expiresAt, hasUser };
  }

  /**
   * Accepts an invitation for a user, or for the sender of a request without an API key. It works once. `name` is that
   * of a new user, and is refused with an API key.
   */
  async accept(
    by: Caller | RequestOrigin,
    { token, name }: { readonly token: string; readonly name?: string },
  ): Promise<AcceptedInvitation> {
    const caller = 'apiKey' in by ? by : null;
    if (caller && name !== undefined) {
      throw invalid('name: must not be sent with an API key; its user already has a name');
    }
    if (caller) requireReachOfEverything(caller, 'accept invitations');
    const { invitation: known } = await this.load(this.dataSource.manager, withToken(token));
    const source = 'apiKey' in by ? changedBy(by) : anonymous(by);
    return transactionBy(this.dataSource, source, async (manager) => {
      // Deleted since the invitation was found.
      if (!(await this.organizations.lockIfExists(manager, known.organizationId))) {
        throw unknownInvitation();
      }
      const { invitation, organization, plan } = await this.load(manager, withToken(token));
      const { email, role } = invitation;
      const emailed = wasEmailed(invitation);
      // Also one that is not verified: what lets the caller join is the token, and with it anybody could as a new user.
      if (caller && caller.email.toLowerCase() !== email.toLowerCase()) {
        throw new DomainError(
          'FORBIDDEN',
          'This invitation is for another email address; accept it with a key of the user who has that address.',
        );
      }
      const { user, key } = caller
        ? { user: caller, key: null }
        : await this.newUser(manager, { email, emailVerified: emailed, name, plan });
      MEMBERSHIP.note({ organizationId: organization.id });
      await this.joinBy(manager, invitation, user.id);
      if (emailed && !user.emailVerified) await this.users.verifyWithin(manager, user.id, email);
      const emailVerified = emailed || user.emailVerified;
      return {
        organization: { ...organization, role },
        user: { id: user.id, email: user.email, emailVerified, name: user.name },
        key,
      };
    });
  }

  /**
   * Accepts, in the transaction of `manager`, the newest open invitation to an address that is known to be that of a
   * person, who becomes a user, without an API key. Null if there is none.
   */
  async acceptWithin(
    manager: EntityManager,
    { email, name }: Pick<User, 'email' | 'name'>,
  ): Promise<User | null> {
    const invited = { email: Raw((column) => `lower(${column}) = lower(:email)`, { email }) };
    const where = { ...invited, expiresAt: MoreThan(this.clock.now()) };
    const open = await manager.getRepository(Invitation).find({ where, order: { sentAt: 'DESC' } });
    for (const { id, organizationId } of open) {
      if (!(await this.organizations.lockIfExists(manager, organizationId))) continue;
      const found = await this.findWithSender(manager, { id });
      if (!found) continue;
      const { plan, invitation } = found;
      const user = await this.users.createWithin(manager, { email, emailVerified: true, name, plan });
      await this.joinBy(manager, invitation, user.id);
      return user;
    }
    return null;
  }

  /** Makes a user a member as an invitation says, which is used up. */
  private async joinBy(manager: EntityManager, invitation: Invitation, userId: string): Promise<void> {
    const { id, organizationId, role, features, viewAllRecordings, viewFolderRecordings } = invitation;
    // Folders that have been opened or deleted meanwhile need no name.
    const folders = await manager.getRepository(InvitationFolder).findBy({
      invitationId: id,
      folder: { restricted: true, deletedAt: IsNull() },
    });
    await this.members.join(manager, organizationId, {
      userId,
      role,
      flags: { ...features, viewAllRecordings, viewFolderRecordings },
      folderIds: folders.map(({ folderId }) => folderId),
    });
    await manager.getRepository(Invitation).delete({ id });
  }

  private async load(manager: EntityManager, which: FindOptionsWhere<Invitation>) {
    const found = await this.findWithSender(manager, which);
    if (!found) throw unknownInvitation();
    return found;
  }

  /** Null also for one whose sender may no longer invite. `plan`: that of a person who becomes a user by accepting it. */
  private async findWithSender(manager: EntityManager, which: FindOptionsWhere<Invitation>) {
    const [invitation] = await manager.getRepository(Invitation).find({
      where: { ...which, expiresAt: MoreThan(this.clock.now()) },
      relations: { organization: true, sender: { user: true } },
    });
    const { organization, sender } = invitation ?? {};
    if (!invitation || !organization || !sender?.user || !mayManage(sender.role, invitation.role)) {
      return null;
    }
    const { id, name } = organization;
    const plan = planMadeBy(sender.user, this.settings.defaultPlan);
    return { invitation, organization: { id, name }, inviter: sender.user.name, plan };
  }

  /**
   * The token is enough for a new user, but not to act as an existing one. If it was emailed, the address is theirs; if
   * it was handed over, it may be anybody's, and the answer must not depend on whether it is.
   */
  private async newUser(
    manager: EntityManager,
    { name, ...invited }: Omit<NewUser, 'name'> & { readonly name: string | undefined },
  ) {
    if (invited.emailVerified && (await findUserByEmail(manager, invited.email))) {
      throw conflict(
        'A user with this email address already exists. Send the request with one of their API keys.',
      );
    }
    if (name === undefined) {
      throw invalid('name: is required without an API key');
    }
    const user = await this.users.createWithin(manager, { ...invited, name });
    const { key } = await this.apiKeys.issue(manager, user.id, { name: 'invitation' });
    return { user, key };
  }
}

const withToken = (token: string) => ({ tokenHash: hashSecret(token) });

/** Those who accept need another; those who manage invitations get the message of the catalog. */
const unknownInvitation = (): DomainError =>
  new DomainError(
    'INVITATION_NOT_FOUND',
    `${ERROR_CATALOG.INVITATION_NOT_FOUND.message} Ask an OWNER or ADMIN of the organization for another.`,
  );

/** Then nobody but the owner of the mailbox has the token, not even its sender. */
const wasEmailed = ({ mailStatus }: Invitation): boolean => mailStatus !== 'none';
