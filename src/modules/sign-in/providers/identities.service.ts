import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import type { IdentityProvider } from '../../../platform/config/identity-providers.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { anonymous, type RequestOrigin } from '../../../policy/caller.js';
import { findDisabledIn } from '../../directory/public/disabled-people.queries.js';
import { InvitationAcceptanceService } from '../../organizations/invitations/invitation-acceptance.service.js';
import { findUserByEmail, lockUser } from '../../users/public/users.queries.js';
import { UsersService } from '../../users/users.service.js';
import { Identity } from '../entities/identity.entity.js';
import { lockPerson } from './identities.queries.js';
import { nameOf, verifiedAddress, type Claims } from './provider-claims.js';
import { SignInRefusal } from './sign-in-refusal.js';

/** Knows which user somebody at an identity provider is. */
@Injectable()
export class IdentitiesService {
  constructor(
    @InjectRepository(Identity) private readonly identities: Repository<Identity>,
    private readonly users: UsersService,
    private readonly invitations: InvitationAcceptanceService,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'defaultPlan'>,
  ) {}

  /** Returns the id of the user whose subject this is at the issuer; null if there is none. */
  async find(issuer: string, subject: string): Promise<string | null> {
    return (await this.identities.findOneBy({ issuer, subject }))?.userId ?? null;
  }

  /** Returns the ids of the organizations whose directories have disabled a user. */
  disabledIn(userId: string): Promise<readonly string[]> {
    return findDisabledIn(this.identities.manager, userId);
  }

  /**
   * Returns the id of the user who comes from a provider: at the first time, of the one with their verified address, or
   * of a new one if the provider is to bring them. Refuses anybody else.
   */
  async userOf(provider: IdentityProvider, claims: Claims, origin: RequestOrigin): Promise<string> {
    const address = verifiedAddress(provider, claims);
    const { iss: issuer, sub: subject } = claims;
    const key = { issuer, subject };
    const now = this.clock.now();
    return transactionBy(this.identities.manager.dataSource, anonymous(origin), async (manager) => {
      await lockPerson(manager, address ?? subject);
      const identities = manager.getRepository(Identity);
      const known = await identities.findOneBy(key);
      const userId = known?.userId ?? (await this.findOrCreate(manager, provider, claims, address));
      // A service account belongs to nobody who could sign in.
      if ((await lockUser(manager, userId)).serviceOf !== null) throw new SignInRefusal('UNKNOWN_PERSON');
      const used = { provider: provider.name, lastUsedAt: now };
      await (known
        ? identities.update(key, used)
        : identities.insert({ ...key, ...used, userId, createdAt: now }));
      return userId;
    });
  }

  private async findOrCreate(
    manager: EntityManager,
    { unknown }: IdentityProvider,
    claims: Claims,
    email: string | null,
  ): Promise<string> {
    if (email === null) throw new SignInRefusal('EMAIL_NOT_VERIFIED');
    const found = await findUserByEmail(manager, email);
    if (found) return found.id;
    if (unknown === 'refuse') throw new SignInRefusal('UNKNOWN_PERSON');
    const name = nameOf(claims, email);
    if (unknown === 'create') {
      const plan = this.settings.defaultPlan;
      return (await this.users.createWithin(manager, { email, emailVerified: true, name, plan })).id;
    }
    const invited = await this.invitations.acceptWithin(manager, { email, name });
    if (!invited) throw new SignInRefusal('NOT_INVITED');
    return invited.id;
  }
}
