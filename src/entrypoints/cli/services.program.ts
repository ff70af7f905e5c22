import { Option, type Command } from 'commander';
import { SERVICE_ROLES } from '../../policy/roles.js';
import { destructive, group, leaf, limitsKey, ORGANIZATION } from './program-parts.js';
import { onHost } from './server/choice.js';

const SERVICES = () => import('./commands/services.commands.js');

/** Service accounts; their keys are created, rotated and revoked with `keys`. */
export function addServiceAccounts(cli: Command): void {
  const services = group(cli, 'services', 'List, create and delete service accounts of organizations.');
  leaf(services, 'list', 'List the service accounts of an organization, by name.')
    .argument(...ORGANIZATION)
    .action(onHost(async () => (await SERVICES()).listServiceAccounts));
  limitsKey(
    leaf(
      services,
      'create',
      'Create a service account with a key, and print the key. It cannot be shown again: only its hash is stored. The key reaches the organization only; "keys create --id" creates more of them.',
    )
      .argument(...ORGANIZATION)
      .requiredOption('--name <name>', 'name of the account and its key, 1 to 100 characters')
      .addOption(
        new Option('--role <role>', 'what it may do in the organization')
          .choices(SERVICE_ROLES)
          .makeOptionMandatory(),
      ),
  ).action(onHost(async () => (await SERVICES()).createServiceAccount));
  destructive(
    services,
    'delete',
    'Delete a service account. Its keys are refused from the next request on; its recordings stay with the organization and get another owner.',
  )
    .argument(...ORGANIZATION)
    .argument('<account>', 'id of the service account; see services list')
    .option('--new-owner <id>', 'id of the member who takes over its recordings (default: an OWNER)')
    .action(onHost(async () => (await SERVICES()).deleteServiceAccount));
}
