import { LIMITS } from '../../contract/limits.js';
import { readAddressRange } from '../../lib/address-ranges.js';
import type { RequestedKey } from '../../modules/api-keys/api-keys.service.js';
import { isUuid } from '../../platform/ids.js';
import { durationOption, listOption, scopesOption, text, timeOption } from './option-values.js';

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

const given = <T>(value: string | undefined, read: (value: string) => T): T | undefined =>
  value === undefined ? undefined : read(value);

const ids = (option: string) => (value: string) => listOption(option, value, 'ids', isUuid);

const isRange = (one: string): boolean => readAddressRange(one) !== null;

/** Validates them. */
export function keyOptions({ expiresAt, ...options }: KeyOptions): RequestedKey {
  if (expiresAt !== undefined) timeOption('--expires-at', expiresAt);
  return {
    name: text('--name', options.name, LIMITS.apiKeyName),
    scopes: given(options.scopes, (value) => scopesOption('--scopes', value)),
    organizationIds: given(options.organizations, ids('--organizations')),
    folderIds: given(options.folders, ids('--folders')),
    addresses: given(options.addresses, (value) =>
      listOption('--addresses', value, 'IP addresses or ranges such as 203.0.113.0/24', isRange),
    ),
    expiresAt,
    expiresIn: given(options.expiresIn, (value) => durationOption('--expires-in', value, LIMITS.expiresIn)),
  };
}
