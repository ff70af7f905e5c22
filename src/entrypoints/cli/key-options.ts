import { LIMITS } from '../../contract/limits.js';
import { readAddressRange } from '../../lib/address-ranges.js';
import { isUuid } from '../../platform/ids.js';
import { durationOption, ifGiven, listOption, scopesOption, text, timeOption } from './option-values.js';

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

/** Validates them. */
export function keyOptions({ expiresAt, ...options }: KeyOptions) {
  if (expiresAt !== undefined) timeOption('--expires-at', expiresAt);
  return {
    name: text('--name', options.name, LIMITS.apiKeyName),
    scopes: ifGiven(options.scopes, (value) => scopesOption('--scopes', value)),
    organizationIds: ifGiven(options.organizations, ids('--organizations')),
    folderIds: ifGiven(options.folders, ids('--folders')),
    addresses: ifGiven(options.addresses, (value) =>
      listOption('--addresses', value, 'IP addresses or ranges such as 203.0.113.0/24', isRange),
    ),
    expiresAt,
    expiresIn: ifGiven(options.expiresIn, (value) => durationOption('--expires-in', value, LIMITS.expiresIn)),
  };
}
