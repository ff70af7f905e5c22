import { counted, singleLine } from '../../../lib/text.js';
import type { ListedApiKey } from '../../../modules/api-keys/public/api-key.response.dto.js';

export const KEY_TITLES = ['ID', 'PREFIX', 'STATE', 'SCOPES', 'REACH', 'NAME'];

type Shown = Omit<ListedApiKey, 'created_at' | 'addresses' | 'last_used_address' | 'replaced_by'>;

/** An API key in a table, of the host or a server. */
export function keyCells(key: Shown): string[] {
  const { id, prefix, scopes, organizations, folders, expires_at: expires, last_used_at: used } = key;
  const state = key.is_revoked ? 'revoked' : expires ? `expires ${expires}` : 'never expires';
  const reach = folders
    ? counted(folders.length, 'folder')
    : organizations
      ? counted(organizations.length, 'organization')
      : 'all';
  const use = used ? `last used ${used}` : 'never used';
  return [id, prefix, `${state}, ${use}`, scopes?.join(',') ?? 'full', reach, singleLine(key.name)];
}
