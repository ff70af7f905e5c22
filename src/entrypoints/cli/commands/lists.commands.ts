import { presentListedApiKey } from '../../../modules/api-keys/api-key.presenter.js';
import { listApiKeys } from '../../../modules/api-keys/api-keys.queries.js';
import type { ListedApiKey } from '../../../modules/api-keys/dto/api-key.response.dto.js';
import type { User } from '../../../modules/users/entities/user.entity.js';
import { presentUser } from '../../../modules/users/management/user.presenter.js';
import { listUsers as readUsers } from '../../../modules/users/public/users.queries.js';
import { readCursor } from '../../../platform/http/replies/cursor.js';
import { singleLine } from '../../../lib/text.js';
import { givenUser, requireUser, type UserOptions } from '../lookups.js';
import { searchText } from '../option-values.js';
import { printList, type ListOptions, type Output } from '../output.js';
import { withReader } from '../reader.js';

/** `users list`. */
export async function listUsers(options: ListOptions): Promise<void> {
  const search = searchText(options);
  await withReader(async ({ manager }) => {
    await printList(
      options,
      ({ limit, cursor }) => readUsers(manager, { search, limit, after: readCursor(cursor) }),
      {
        present: presentUser,
        cells: userCells,
        titles: ['ID', 'PLAN', 'EMAIL', 'NAME'],
        none: 'No users found.',
      },
    );
  });
}

/** `keys list`. */
export async function listKeys(options: Output & UserOptions): Promise<void> {
  await withReader(async (reader) => {
    const user = await requireUser(reader, ...givenUser(options));
    await printList(
      options,
      async () => ({ rows: await listApiKeys(reader.manager, user.id), nextCursor: null }),
      {
        present: presentListedApiKey,
        cells: (key) => keyCells(presentListedApiKey(key)),
        titles: ['ID', 'PREFIX', 'STATE', 'NAME'],
        none: `${singleLine(user.email)} has no API keys.`,
      },
    );
  });
}

function userCells({ id, email, emailVerified, name, plan, operator }: User): string[] {
  const address = `${singleLine(email)}${emailVerified ? '' : ' (not verified)'}`;
  return [id, `${plan}${operator ? ', operator' : ''}`, address, singleLine(name)];
}

function keyCells({
  id,
  prefix,
  name,
  is_revoked: revoked,
  expires_at: expires,
  last_used_at: used,
}: ListedApiKey): string[] {
  const state = revoked ? 'revoked' : expires ? `expires ${expires}` : 'never expires';
  return [id, prefix, `${state}, ${used ? `last used ${used}` : 'never used'}`, singleLine(name)];
}
