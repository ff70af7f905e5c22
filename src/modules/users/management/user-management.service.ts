import { Injectable } from '@nestjs/common';
import { requireOperator, requireReachOfEverything } from '../../api-keys/public/key-requirements.js';
import { DomainError, invalid } from '../../../contract/domain-error.js';
import { readCursor, type CursorPage } from '../../../platform/http/replies/cursor.js';
import type { Caller } from '../../../policy/caller.js';
import type { User } from '../entities/user.entity.js';
import { UsersService, type UserChanges } from '../users.service.js';
import { OWN_ADDRESS, type DeleteMeDto, type DeleteUserDto, type ListUsersDto } from './user.dto.js';
import { UserDeletionService, type DeletedUser } from './user-deletion.service.js';

/** Users change themselves; operators manage all of them. */
@Injectable()
export class UserManagementService {
  constructor(
    private readonly users: UsersService,
    private readonly deletion: UserDeletionService,
  ) {}

  async list(caller: Caller, { search, limit, cursor }: ListUsersDto): Promise<CursorPage<User>> {
    requireOperator(caller, 'manage users');
    return this.users.list({ search, limit, after: readCursor(cursor) });
  }

  async update(caller: Caller, userId: string, changes: UserChanges): Promise<User> {
    requireOperator(caller, 'manage users');
    if (Object.values(changes).every((value) => value === undefined)) {
      throw invalid('body: must have at least one of name, email, plan');
    }
    return this.users.update(userId, changes, caller);
  }

  /** 403 `FORBIDDEN` for a key that is limited to organizations, and for service accounts, which others manage. */
  async updateMe(caller: Caller, changes: Pick<UserChanges, 'name'>): Promise<User> {
    if (caller.serviceOf !== null)
      throw new DomainError(
        'FORBIDDEN',
        `A service account does not rename itself; those who manage it do: PATCH /api/v1/organizations/${caller.serviceOf}/service-accounts/${caller.id}.`,
      );
    requireReachOfEverything(caller, 'change the user');
    return this.users.update(caller.id, changes, caller);
  }

  async deleteMe(caller: Caller, { confirm, new_owner: newOwner }: DeleteMeDto): Promise<DeletedUser> {
    if (confirm.toLowerCase() !== caller.email.toLowerCase()) throw invalid(`confirm: ${OWN_ADDRESS}`);
    return this.deletion.delete(caller, { newOwner }, caller);
  }

  async delete(caller: Caller, userId: string, options: DeleteUserDto): Promise<DeletedUser> {
    requireOperator(caller, 'manage users');
    const user = await this.users.get(userId);
    return this.deletion.delete(user, { newOwner: options.new_owner, deletedBy: caller.id }, caller);
  }
}
