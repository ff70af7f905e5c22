import { Option } from 'commander';
import { SERVICE_ROLES } from '../../policy/roles.js';
import { ORGANIZATION, requireUserOption, type CliCommand } from './cli-command.js';
import { onHost, onServerOrHost } from './server/choice.js';
import { LIMITS } from '../../contract/limits.js';
import { rangeText } from '../../lib/amounts.js';

const KEYS = () => import('./commands/keys.commands.js');
const SERVICES = () => import('./commands/services.commands.js');
const SERVER = () => import('./server/keys.commands.js');

const KEY = ['<key>', `id of the key, or its first ${LIMITS.apiKeyPrefix} characters as in the log`] as const;

export function addKeys(cli: CliCommand): void {
  const keys = cli.add('keys');
  keys
    .leaf('create')
    .maybeOfUser('the user (on the host)')
    .requiredOption('--name <name>', `display name of the key, ${rangeText(LIMITS.apiKeyName)} characters`)
    .option(
      '--organizations <ids>',
      'what the key reaches, with commas between: only these, and nothing personal',
    )
    .limitsKey()
    .action(onServerOrHost(SERVER, KEYS, 'createKey', requireUserOption));
  keys
    .leaf('list')
    .maybeOfUser('the user (on the host)')
    .option(
      '--unused <duration>',
      'only keys that still work and have not been used for this long, such as 90d; without --email or --id, of all users; on the host',
    )
    .action(onServerOrHost(SERVER, KEYS, 'listKeys', (called) => requireUserOption(called, 'unused')));
  keys
    .leaf('rotate', KEY)
    .option('--overlap <duration>', 'how long the other key still works, such as 7d or 0m (default: 1d)')
    .action(onHost(KEYS, 'rotateKey'));
  keys.destructive('revoke', KEY).action(onServerOrHost(SERVER, KEYS, 'revokeKey'));
  keys
    .destructive('reseal')
    .option('--delete-lost', 'first delete what is encrypted with a key that is lost')
    .action(onHost(KEYS, 'resealWithCurrentKey'));
}

/** Service accounts; their keys are created, rotated and revoked with `keys`. */
export function addServiceAccounts(cli: CliCommand): void {
  const services = cli.add('services');
  services.leaf('list', ORGANIZATION).action(onHost(SERVICES, 'listServiceAccounts'));
  services
    .leaf('create', ORGANIZATION)
    .requiredOption(
      '--name <name>',
      `name of the account and its key, ${rangeText(LIMITS.apiKeyName)} characters`,
    )
    .addOption(
      new Option('--role <role>', 'what it may do in the organization')
        .choices(SERVICE_ROLES)
        .makeOptionMandatory(),
    )
    .limitsKey()
    .action(onHost(SERVICES, 'createServiceAccount'));
  services
    .destructive('delete', ORGANIZATION, ['<account>', 'id of the service account; see services list'])
    .option('--new-owner <id>', 'id of the member who takes over its recordings (default: an OWNER)')
    .action(onHost(SERVICES, 'deleteServiceAccount'));
}
