import { newId } from '../../platform/ids.js';
import { hashSecret } from '../../platform/secrets/secrets.js';
import { printable, quoteForMessage } from '../../lib/text.js';
import type { ApiKeysService } from '../api-keys/api-keys.service.js';
import { ApiKey } from '../api-keys/entities/api-key.entity.js';
import { User } from '../users/entities/user.entity.js';
import type { ImportRun } from './import-run.js';
import type { FoundUser } from './workspace.queries.js';
import { WorkspaceError } from './workspace.error.js';
import type { WorkspaceUser } from './workspace.schema.js';

/** Creates the users and keys of a workspace file that do not exist yet. */
export async function importUsers(
  run: ImportRun,
  inputs: readonly WorkspaceUser[],
  apiKeys: ApiKeysService,
): Promise<void> {
  const { manager, directory } = run;
  const hashes = inputs.flatMap((input) => input.apiKeys.map(({ key }) => hashSecret(key)));
  const keys = await manager
    .createQueryBuilder(ApiKey, 'k')
    .where('k.hash = ANY (:hashes)', { hashes })
    .getMany();
  const known = new Map(keys.map((key) => [key.hash.toString('hex'), key]));
  for (const [index, input] of inputs.entries()) {
    const at = `users[${index}]`;
    const user = await importUser(run, input, directory.findUser(input, at));
    for (const [keyIndex, key] of input.apiKeys.entries()) {
      const stored = known.get(hashSecret(key.key).toString('hex'));
      if (stored && stored.userId !== user.id) {
        throw new WorkspaceError([`${at}.apiKeys[${keyIndex}].key: already belongs to another user`]);
      }
      if (stored) {
        run.compare('apiKeys', `key ${quoteForMessage(stored.name)} of ${printable(user.email)}`, {
          name: [stored.name, key.name],
          expiresAt: [stored.expiresAt, key.expiresAt],
          revoked: [stored.revokedAt !== null, key.revoked],
          // In any order.
          scopes: [stored.scopes?.toSorted() ?? null, key.scopes?.toSorted() ?? key.scopes],
        });
      } else {
        await apiKeys.issue(manager, user.id, key);
        run.created('apiKeys');
      }
    }
  }
}

async function importUser(
  run: ImportRun,
  { id = newId(), email, name, plan }: WorkspaceUser,
  found: FoundUser | null,
): Promise<FoundUser> {
  if (found) {
    run.compare('users', `user ${printable(found.email)}`, {
      name: [found.name, name],
      plan: [found.plan, plan],
    });
    return found;
  }
  const user = { id, email, name, plan: plan ?? 'FREE' };
  await run.manager.insert(User, { ...user, emailVerified: true });
  run.directory.addUser(user);
  run.created('users');
  return user;
}
