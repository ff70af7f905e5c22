import { Inject, Injectable } from '@nestjs/common';
import { ApiKeysService, type IssuedApiKey } from '../../api-keys/api-keys.service.js';
import type { CreateApiKeyDto } from '../../api-keys/public/api-key.request.dto.js';
import { requireOperator, requireReachOfEverything } from '../../api-keys/public/key-requirements.js';
import { conflict, DomainError, invalid } from '../../../contract/domain-error.js';
import { externalIdIn } from '../../../contract/external-ids.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { readCursor, type CursorPage } from '../../../platform/http/replies/cursor.js';
import type { Caller } from '../../../policy/caller.js';
import type { User } from '../entities/user.entity.js';
import { UsersService, type GivenUser, type NewUser, type UserChanges } from '../users.service.js';
import { OWN_ADDRESS, type DeleteMeDto, type DeleteUserDto, type ListUsersDto } from './user.dto.js';
import { UserDeletionService, type DeletedUser } from './user-deletion.service.js';

/** Users change themselves; operators manage all of them. */
@Injectable()
export class UserManagementService {
  constructor(
    private readonly users: UsersService,
    private readonly deletion: UserDeletionService,
    private readonly apiKeys: ApiKeysService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'defaultPlan'>,
  ) {}

  async list(
    caller: Caller,
    { limit, cursor, external_id: externalId, ...filters }: ListUsersDto,
  ): Promise<CursorPage<User>> {
    requireManager(caller);
    return this.users.list({ ...filters, externalId, limit, after: readCursor(cursor) });
  }

  async get(caller: Caller, userId: string): Promise<User> {
    requireManager(caller);
    return this.users.get(userId);
  }

  async create(caller: Caller, given: GivenUser): Promise<User> {
    requireManager(caller);
    return this.users.create(this.withPlan(given), caller);
  }

  /** `idOrExternalId`: of a user, or the external id, with its prefix, of one to create. */
  async put(
    caller: Caller,
    idOrExternalId: string,
    given: GivenUser,
  ): Promise<{ readonly user: User; readonly isNew: boolean }> {
    requireManager(caller);
    const externalId = externalIdIn(idOrExternalId);
    if (externalId !== null && (given.externalId ?? externalId) !== externalId)
      throw invalid('external_id: must be the one in the path, or omitted');
    const { user, isNew } =
      externalId === null
        ? { user: await this.users.get(idOrExternalId), isNew: false }
        : await this.users.findOrCreate(externalId, this.withPlan(given), caller);
    if (isNew) return { user, isNew };
    requireManaged(caller, user);
    return { user: await this.users.update(user.id, given, caller, { replaces: true }), isNew };
  }

  async update(caller: Caller, userId: string, changes: UserChanges): Promise<User> {
    requireManager(caller);
    if (Object.values(changes).every((value) => value === undefined)) {
      throw invalid('body: must have at least one of name, email, plan, external_id, metadata');
    }
    const { id } = requireManaged(caller, await this.users.get(userId));
    return this.users.update(id, changes, caller);
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
    requireManager(caller);
    const user = requireManaged(caller, await this.users.get(userId));
    return this.deletion.delete(user, { newOwner: options.new_owner, deletedBy: caller.id }, caller);
  }

  /**
   * Creates a key for a user, which may do what needs no operator, but works no longer and from nowhere else than the
   * key of the caller. 403 `FORBIDDEN` for an operator; 409 `CONFLICT` for a service account, and for a key too many.
   */
  async createKey(caller: Caller, userId: string, input: CreateApiKeyDto): Promise<IssuedApiKey> {
    requireManager(caller);
    const { id, operator, serviceOf } = await this.users.get(userId);
    if (operator)
      throw new DomainError(
        'FORBIDDEN',
        'This user is an operator. Operators create their own API keys: POST /api/v1/api-keys.',
      );
    if (serviceOf !== null)
      throw conflict(
        `This is a service account. Those who manage it create its API keys: POST /api/v1/organizations/${serviceOf}/service-accounts/${id}/keys.`,
      );
    return this.apiKeys.create(id, input, caller, { lends: true });
  }

  private withPlan({ plan = this.settings.defaultPlan, ...given }: GivenUser): NewUser {
    return { ...given, plan };
  }
}

const requireManager = (caller: Caller): void => requireOperator(caller, 'manage users', 'users:manage');

/** A key that only manages users would become an operator's, if it could set the address of one. */
function requireManaged({ operator }: Caller, user: User): User {
  if (!user.operator || operator) return user;
  throw new DomainError(
    'FORBIDDEN',
    'This user is an operator, whom only an API key with the scope operator can change.',
  );
}
