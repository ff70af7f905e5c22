import { Option, type Command } from 'commander';
import { PLANS, SUBSCRIPTION_STATUSES } from '../../../policy/plans.js';
import { destructive, group, leaf, list } from './command.js';

const commands = () => import('../organizations.commands.js');

const ORGANIZATION = ['<organization>', 'id of the organization; see orgs list'] as const;

const plan = (description: string): Option => new Option('--plan <plan>', description).choices(PLANS);

export function addOrganizations(cli: Command): void {
  const orgs = group(cli, 'orgs', 'List, create, change and delete organizations.');
  list(orgs, 'List all organizations, by name.', 'name').action(async (options) =>
    (await commands()).listOrganizations(options),
  );
  leaf(orgs, 'create', 'Create an organization and print its id.')
    .requiredOption('--name <name>', 'name')
    .requiredOption('--owner <user>', 'verified email address or id of the user who becomes its OWNER')
    .addOption(plan('plan (default: DEFAULT_PLAN)'))
    .action(async (options) => (await commands()).createOrganization(options));
  leaf(orgs, 'update', 'Change an organization, effective with the next request of its members.')
    .argument(...ORGANIZATION)
    .option('--name <name>', 'new name')
    .addOption(plan('plan'))
    .addOption(
      new Option('--subscription <status>', 'status of the subscription').choices(SUBSCRIPTION_STATUSES),
    )
    .option('--subscription-ends-at <time>', 'ISO 8601 date or date-time at which it ends, or never')
    .action(async (id, options) => (await commands()).updateOrganization(id, options));
  destructive(
    orgs,
    'delete',
    'Delete an organization with its memberships and folders. Refused while it has recordings, unless --recordings delete is used.',
  )
    .argument(...ORGANIZATION)
    .addOption(new Option('--recordings <what>', 'also delete its recordings').choices(['delete']))
    .action(async (id, options) => (await commands()).deleteOrganization(id, options));
}
