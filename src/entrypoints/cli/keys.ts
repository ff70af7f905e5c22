import { LIMITS } from '../../contract/limits.js';
import { readAddressRange } from '../../lib/address-ranges.js';
import { counted, singleLine } from '../../lib/text.js';
import type { ListedApiKey } from '../../modules/api-keys/public/api-key.response.dto.js';
import { isUuid } from '../../platform/ids.js';
import { durationOption, ifGiven, listOption, scopesOption, text, timeOption } from './option-values.js';
import { print, type Output } from './output.js';
import { confirm, type Confirmable } from './prompts.js';

/** Options that say what a new key is limited to, as they are given. */
export interface KeyOptions {
  readonly name: string;
  readonly scopes?: string;
  readonly organizations?: string;
  readonly folders?: string;
  readonly addresses?: string;
  readonly expiresAt?: string;
  readonly expiresIn?: string;
}

const ids = (option: string) => (value: string) => listOption(option, value, 'ids', isUuid);

const isRange = (one: string): boolean => readAddressRange(one) !== null;

export function keyOptions({ expiresAt, ...options }: KeyOptions) {
  if (expiresAt !== undefined) timeOption('--expires-at', expiresAt);
  return {
    name: text('--name', options.name, LIMITS.apiKeyName),
    scopes: ifGiven(options.scopes, (value) => scopesOption('--scopes', value)),
    organizations: ifGiven(options.organizations, ids('--organizations')),
    folders: ifGiven(options.folders, ids('--folders')),
    addresses: ifGiven(options.addresses, (value) =>
      listOption('--addresses', value, 'IP addresses or ranges such as 203.0.113.0/24', isRange),
    ),
    expires_at: expiresAt,
    expires_in: ifGiven(options.expiresIn, (value) =>
      durationOption('--expires-in', value, LIMITS.expiresIn),
    ),
  };
}

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

/** `keys revoke`, on the host or a server. */
export async function revokeConfirmed(
  { id, prefix, name }: Pick<Shown, 'id' | 'prefix' | 'name'>,
  options: Output & Confirmable,
  revoke: () => Promise<unknown>,
): Promise<void> {
  const shown = `${singleLine(prefix)} (${singleLine(name)})`;
  await confirm(`Revoke ${shown} permanently`, options);
  await revoke();
  print(options, { id, prefix }, `Revoked ${shown}.`);
}
