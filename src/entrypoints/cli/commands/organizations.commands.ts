import { LIMITS } from '../../../contract/limits.js';
import { counted, isLine, singleLine } from '../../../lib/text.js';
import { presentOrganizationDetails } from '../../../modules/organizations/dto/organization.dto.js';
import { OrganizationChangesService } from '../../../modules/organizations/organization-changes.service.js';
import { listAllOrganizations } from '../../../modules/organizations/organizations.queries.js';
import {
  detailsOf,
  OrganizationsService,
  type OrganizationDetails,
} from '../../../modules/organizations/organizations.service.js';
import { effectivePlan, quotasOf } from '../../../modules/quotas/public/quota-terms.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { ServiceError } from '../../../platform/errors/service-error.js';
import { COMMAND_LINE } from '../../../policy/management.js';
import type { Plan, SubscriptionStatus } from '../../../policy/plans.js';
import { refused, usageError } from '../exit-status.js';
import { requireUser, withDatabase, withService, type Service } from '../host.js';
import { ifGiven, integerOption, listOption, pageQuery, text, timeOption } from '../option-values.js';
import { print, printCreated, printList, rowsOf, type ListOptions, type Output } from '../output.js';
import { confirm, type Confirmable } from '../prompts.js';

export async function listOrganizations(options: ListOptions): Promise<void> {
  const query = pageQuery(options);
  await withDatabase(async ({ manager, settings }) => {
    const now = new Date();
    const publicUrl = new PublicUrl(settings);
    const viewing = { viewerId: null, today: now.toISOString().slice(0, 10), now };
    await printList(
      options,
      rowsOf(async (cursor) => {
        const { rows, paging } = await listAllOrganizations(manager, viewing, { ...query, cursor });
        const details = rows.map((row) =>
          detailsOf(null, row, quotasOf(effectivePlan(row, now), row.use, settings.quotas, now), publicUrl),
        );
        return { rows: details.map(presentOrganizationDetails), nextCursor: paging?.nextCursor };
      }),
      {
        cells: ({ id, plan, subscription: { status, ends_at: endsAt }, member_count: members, name }) => [
          id,
          `${plan}, ${status}${endsAt ? ` until ${endsAt}` : ''}, members: ${members}`,
          singleLine(name),
        ],
        titles: ['ID', 'PLAN', 'NAME'],
        none: 'No organizations found.',
      },
    );
  });
}

export async function createOrganization(
  options: Output & { name: string; owner: string; plan?: Plan },
): Promise<void> {
  const name = text('--name', options.name, LIMITS.name);
  await withService(async (service) => {
    const { plan = service.settings.defaultPlan } = options;
    const owner = await requireUser(service, '--owner', options.owner);
    const { id } = await service.get(OrganizationChangesService).create(owner, { name, plan }, COMMAND_LINE);
    printCreated(options, presentOrganizationDetails(await requireOrganization(service, id)), id, name);
  });
}

const isClientId = (id: string): boolean => isLine(id, LIMITS.clientId);

export async function updateOrganization(
  id: string,
  options: Output & {
    name?: string;
    plan?: Plan;
    subscription?: SubscriptionStatus;
    subscriptionEndsAt?: string;
    apiKeyMaxDays?: string;
    ssoProvider?: string;
    oauthClients?: string;
  },
): Promise<void> {
  const { plan, subscription: status } = options;
  const name = ifGiven(options.name, (value) => text('--name', value, LIMITS.name));
  const endsAt = ifGiven(options.subscriptionEndsAt, (value) =>
    value === 'never' ? null : timeOption('--subscription-ends-at', value, ', or never'),
  );
  const apiKeyMaxDays = ifGiven(options.apiKeyMaxDays, (value) =>
    value === 'none' ? null : integerOption('--api-key-max-days', value, LIMITS.apiKeyMaxDays, ', or none'),
  );
  const ssoProvider = ifGiven(options.ssoProvider, (value) => (value === 'none' ? null : value));
  const oauthClients = ifGiven(options.oauthClients, (value) =>
    value === 'any'
      ? null
      : listOption('--oauth-clients', value, 'client ids', isClientId, LIMITS.oauthClients),
  );
  if (
    [name, plan, status, endsAt, apiKeyMaxDays, ssoProvider, oauthClients].every(
      (value) => value === undefined,
    )
  )
    throw usageError(
      'Specify at least one of --name, --plan, --subscription, --subscription-ends-at, --api-key-max-days, --sso-provider, --oauth-clients',
    );
  const subscription = status === undefined && endsAt === undefined ? undefined : { status, endsAt };
  await withService(async (service) => {
    const before = await requireOrganization(service, id);
    const changes = { name, plan, subscription, apiKeyMaxDays, ssoProvider, oauthClients };
    const after = await service.get(OrganizationChangesService).update(COMMAND_LINE, id, changes);
    print(options, presentOrganizationDetails(after), `Updated ${singleLine(before.name)}.`);
  });
}

export async function deleteOrganization(
  id: string,
  options: Output & Confirmable & { recordings?: 'delete' },
): Promise<void> {
  const withRecordings = options.recordings === 'delete';
  await withService(async (service) => {
    const organization = await requireOrganization(service, id);
    const { memberCount, quotas } = organization;
    const name = singleLine(organization.name);
    const memberships = counted(memberCount, 'membership');
    const held = withRecordings ? ` and ${counted(quotas?.use.recordings ?? 0, 'recording')}` : '';
    await confirm(`Delete ${name} with ${memberships}${held}`, options);
    const recordings = await service
      .get(OrganizationChangesService)
      .delete(COMMAND_LINE, id, withRecordings)
      .catch(throwInOptions);
    const message = `Deleted ${name} with ${memberships} and ${counted(recordings, 'recording')}.`;
    print(options, { id: organization.id, name: organization.name, recordings }, message);
  });
}

const requireOrganization = ({ get }: Service, id: string): Promise<OrganizationDetails> =>
  get(OrganizationsService).get(COMMAND_LINE, id);

/** The service names the parameter of the API. */
function throwInOptions(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'CONFLICT') throw error;
  throw refused(error.message.replace('send recordings=delete', 'use --recordings delete'));
}
