import { Option } from 'commander';
import { SERVICE_ROLES } from '../../policy/roles.js';
import { ORGANIZATION, requireUserOption, type CliCommand } from './cli-command.js';
import { onHost, onServerOrHost } from './server/choice.js';

const KEYS = () => import('./commands/keys.commands.js');
const LISTS = () => import('./commands/lists.commands.js');
const SERVICES = () => import('./commands/services.commands.js');
const SERVER = () => import('./server/keys.commands.js');

const KEY = ['<key>', 'id of the key, or its first 12 characters as in the log'] as const;

export function addKeys(cli: CliCommand): void {
  const keys = cli.add(
    'keys',
    'Create, list, rotate and revoke API keys; replace the key that the service encrypts with.',
  );
  keys
    .leaf(
      'create',
      'Create an API key, on the host for any user, and print it. It cannot be shown again: only its hash is stored.',
    )
    .maybeOfUser('the user (on the host)')
    .requiredOption('--name <name>', 'display name of the key, 1 to 100 characters')
    .option(
      '--organizations <ids>',
      'what the key reaches, with commas between: only these, and nothing personal',
    )
    .limitsKey()
    .action(onServerOrHost(SERVER, KEYS, 'createKey', requireUserOption));
  keys
    .leaf('list', 'List API keys, on the host those of any user, newest first, without the keys themselves.')
    .maybeOfUser('the user (on the host)')
    .option(
      '--unused <duration>',
      'only keys that still work and have not been used for this long, such as 90d; without --email or --id, of all users; on the host',
    )
    .action(onServerOrHost(SERVER, LISTS, 'listKeys', (called) => requireUserOption(called, 'unused')));
  keys
    .leaf(
      'rotate',
      'Create a key that replaces another, with the same user, name, scopes and expiry, and print it. The other one still works for the overlap.',
    )
    .argument(...KEY)
    .option('--overlap <duration>', 'how long the other key still works, such as 7d or 0m (default: 1d)')
    .action(onHost(KEYS, 'rotateKey'));
  keys
    .destructive(
      'revoke',
      'Revoke an API key, on the host of any user, permanently. It is refused from the next request on.',
    )
    .argument(...KEY)
    .action(onServerOrHost(SERVER, KEYS, 'revokeKey'));
  keys
    .destructive(
      'reseal',
      'Encrypt with SEALING_KEY whatever is encrypted with SEALING_KEY_PREVIOUS, which can then be removed from the settings. The service may be running. Can be interrupted and run again.',
    )
    .option('--delete-lost', 'first delete what is encrypted with a key that is lost')
    .action(onHost(KEYS, 'resealWithCurrentKey'));
}

/** Service accounts; their keys are created, rotated and revoked with `keys`. */
export function addServiceAccounts(cli: CliCommand): void {
  const services = cli.add('services', 'List, create and delete service accounts of organizations.');
  services
    .leaf('list', 'List the service accounts of an organization, by name.')
    .argument(...ORGANIZATION)
    .action(onHost(SERVICES, 'listServiceAccounts'));
  services
    .leaf(
      'create',
      'Create a service account with a key, and print the key. It cannot be shown again: only its hash is stored. The key reaches the organization only; "keys create --id" creates more of them.',
    )
    .argument(...ORGANIZATION)
    .requiredOption('--name <name>', 'name of the account and its key, 1 to 100 characters')
    .addOption(
      new Option('--role <role>', 'what it may do in the organization')
        .choices(SERVICE_ROLES)
        .makeOptionMandatory(),
    )
    .limitsKey()
    .action(onHost(SERVICES, 'createServiceAccount'));
  services
    .destructive(
      'delete',
      'Delete a service account. Its keys are refused from the next request on; its recordings stay with the organization and get another owner.',
    )
    .argument(...ORGANIZATION)
    .argument('<account>', 'id of the service account; see services list')
    .option('--new-owner <id>', 'id of the member who takes over its recordings (default: an OWNER)')
    .action(onHost(SERVICES, 'deleteServiceAccount'));
}
