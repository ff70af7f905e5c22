import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Clock } from '../../platform/clock.js';
import { newId } from '../../platform/ids.js';
import { hashSecret } from '../../platform/secrets.js';
import { printable, quoteForMessage } from '../../platform/text.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { ApiKey } from '../api-keys/entities/api-key.entity.js';
import { User } from '../users/entities/user.entity.js';
import { changesOf, compare, word, type FieldDifference } from './differences.js';
import type { ImportRun } from './import-run.js';
import type { FoundUser } from './workspace-directory.js';
import { USER_DEFAULTS } from './workspace-defaults.js';
import { WorkspaceError } from './workspace.error.js';
import type { WorkspaceApiKey, WorkspaceUser } from './workspace.schema.js';

/** Entries of the file that existed before, with what was found. */
export interface ExistingUsers {
  readonly users: { readonly input: WorkspaceUser; readonly found: FoundUser }[];
  readonly keys: { readonly input: WorkspaceApiKey; readonly found: ApiKey; readonly email: string }[];
}

type UserChange = Partial<Pick<User, 'name' | 'plan'>>;
type KeyChange = Partial<Pick<ApiKey, 'name' | 'expiresAt' | 'revokedAt'>>;

/** Creates the users and keys of a workspace file, and compares or updates those that exist. */
@Injectable()
export class UserImportService {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly clock: Clock,
  ) {}

  async create(
    { manager, directory, log }: ImportRun,
    inputs: readonly WorkspaceUser[],
  ): Promise<ExistingUsers> {
    const existing: ExistingUsers = { users: [], keys: [] };
    const hashes = inputs.flatMap(({ apiKeys }) => apiKeys.map(({ key }) => hashSecret(key)));
    const keys = await manager
      .createQueryBuilder(ApiKey, 'k')
      .where('k.hash = ANY (:hashes)', { hashes })
      .getMany();
    const known = new Map(keys.map((key) => [key.hash.toString('hex'), key]));
    for (const [index, input] of inputs.entries()) {
      const at = `users[${index}]`;
      const found = directory.userOf(input, at);
      const { email, name, plan = USER_DEFAULTS.plan } = input;
      const user = found ?? { id: input.id ?? newId(), email, name, plan };
      if (found) existing.users.push({ input, found });
      else {
        await manager.insert(User, { ...user, emailVerified: true });
        directory.addUser(user);
        log.created('users');
      }
      for (const [keyIndex, key] of input.apiKeys.entries()) {
        const stored = known.get(hashSecret(key.key).toString('hex'));
        if (stored && stored.userId !== user.id) {
          throw new WorkspaceError([`${at}.apiKeys[${keyIndex}].key: already belongs to another user`]);
        }
        if (stored) existing.keys.push({ input: key, found: stored, email });
        else {
          await this.apiKeys.issue(manager, user.id, key);
          log.created('apiKeys');
        }
      }
    }
    return existing;
  }

  async update({ manager, log, update }: ImportRun, { users, keys }: ExistingUsers): Promise<void> {
    for (const { input, found } of users) {
      const differences = differencesOfUser(input, found);
      log.existing('users', `user ${printable(found.email)}`, differences);
      const changes = changesOf(differences);
      if (update && changes) await manager.update(User, { id: found.id }, changes);
    }
    for (const { input, found, email } of keys) {
      const differences = differencesOfKey(input, found, this.clock.now());
      log.existing('apiKeys', `key ${quoteForMessage(found.name)} of ${printable(email)}`, differences);
      const changes = changesOf(differences);
      if (!update || !changes) continue;
      const { revokedAt, ...others } = changes;
      if (Object.keys(others).length > 0) await manager.update(ApiKey, { id: found.id }, others);
      // If it was revoked concurrently, keep the earlier time.
      if (revokedAt) await manager.update(ApiKey, { id: found.id, revokedAt: IsNull() }, { revokedAt });
    }
  }
}

function differencesOfUser({ name, plan }: WorkspaceUser, found: FoundUser): FieldDifference<UserChange>[] {
  return [
    ...compare<UserChange>('name', found.name, name, { change: { name } }),
    ...compare<UserChange>('plan', found.plan, plan, { change: { plan }, show: word }),
  ];
}

function differencesOfKey(
  { name, expiresAt, revoked }: WorkspaceApiKey,
  found: ApiKey,
  now: Date,
): FieldDifference<KeyChange>[] {
  return [
    ...compare<KeyChange>('name', found.name, name, { change: { name } }),
    ...compare<KeyChange>('expiresAt', found.expiresAt, expiresAt, { change: { expiresAt } }),
    ...compare<KeyChange>('revoked', found.revokedAt !== null, revoked, {
      change: revoked ? { revokedAt: now } : null,
      note: revoked ? null : 'a revoked key stays revoked',
    }),
  ];
}
