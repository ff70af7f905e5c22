import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type DataSource, type EntityManager, IsNull } from 'typeorm';
import { violates } from '../../platform/database/database-errors.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { newId } from '../../platform/ids.js';
import type { UserPlan } from '../../policy/plans.js';
import { MediaService } from '../media/media.service.js';
import { Recording } from '../recordings/entities/recording.entity.js';
import { User } from './entities/user.entity.js';

/** Whatever the case of the address. */
export function findUserByEmail(manager: EntityManager, email: string): Promise<User | null> {
  return manager.createQueryBuilder(User, 'u').where('lower(u.email) = lower(:email)', { email }).getOne();
}

@Injectable()
export class UsersService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly media: MediaService,
  ) {}

  /** Users have no endpoint; the command line makes them. One e-mail address, one user, whatever its case. */
  async create(input: { email: string; name: string; plan: UserPlan }): Promise<User> {
    const user = this.dataSource.manager.create(User, { id: newId(), ...input });
    try {
      await this.dataSource.manager.insert(User, user);
    } catch (error) {
      if (violates(error, 'users_email_key'))
        throw new DomainError('CONFLICT', `There is already a user ${input.email}.`);
      throw error;
    }
    return user;
  }

  async findByEmail(email: string): Promise<User | null> {
    return findUserByEmail(this.dataSource.manager, email);
  }

  /**
   * Removes the user with their personal recordings, which nobody else can ever see, and the share links they made.
   * Recordings of organizations stay with those; the keys stay and answer `USER_NOT_FOUND`.
   */
  async delete(user: User): Promise<{ personalRecordings: number }> {
    return this.dataSource.transaction(async (manager) => {
      const personal = { ownerId: user.id, organizationId: IsNull() };
      const recordings = await manager.find(Recording, { select: { id: true }, where: personal });
      await manager.delete(Recording, personal);
      await this.media.discardAll(
        manager,
        recordings.map(({ id }) => id),
      );
      await manager.delete(User, { id: user.id });
      return { personalRecordings: recordings.length };
    });
  }
}
