import { counted, singleLine } from '../../../lib/text.js';
import type { ListedApiKey } from '../../../modules/api-keys/public/api-key.response.dto.js';

export const KEY_TITLES = ['ID', 'PREFIX', 'STATE', 'SCOPES', 'REACH', 'NAME'];

type Shown = Omit<ListedApiKey, 'created_at' | 'addresses' | 'last_used_address' | 'replaced_by'>;

/** An API key in a table, of the host or a server. */
export function keyCells({
  id,
  prefix,
  name,
  scopes,
  organizations,
  folders,
  is_revoked: revoked,
  expires_at: expires,
  last_used_at: used,
}: Shown): string[] {
  const state = revoked ? 'revoked' : expires ? `expires ${expires}` : 'never expires';
  return [
    id,
    prefix,
    `${state}, ${used ? `last used ${used}` : 'never used'}`,
    scopes?.join(',') ?? 'full',
    folders
      ? counted(folders.length, 'folder')
      : organizations
        ? counted(organizations.length, 'organization')
        : 'all',
    singleLine(name),
  ];
}
