import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { violates } from '../../platform/database/database-errors.js';
import { DomainError } from '../../contract/domain-error.js';
import { newId } from '../../platform/ids.js';
import type { UserPlan } from '../../policy/plans.js';
import { User } from './entities/user.entity.js';

/** Ignores the case of the e-mail address. */
export function findUserByEmail(manager: EntityManager, email: string): Promise<User | null> {
  return manager.createQueryBuilder(User, 'u').where('lower(u.email) = lower(:email)', { email }).getOne();
}

@Injectable()
export class UsersService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** There is no endpoint for this; the command line creates users. E-mail addresses are unique, ignoring case. */
  async create(input: { email: string; name: string; plan: UserPlan }): Promise<User> {
    const user = this.dataSource.manager.create(User, { id: newId(), ...input });
    try {
      await this.dataSource.manager.insert(User, user);
    } catch (error) {
      if (violates(error, 'users_email_key'))
        throw new DomainError('CONFLICT', `A user ${input.email} already exists.`);
      throw error;
    }
    return user;
  }

  async findByEmail(email: string): Promise<User | null> {
    return findUserByEmail(this.dataSource.manager, email);
  }
}
