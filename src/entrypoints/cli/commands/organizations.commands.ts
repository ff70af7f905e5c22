import type { INestApplicationContext } from '@nestjs/common';
import { LIMITS } from '../../../contract/limits.js';
import { OrganizationChangesService } from '../../../modules/organizations/organization-changes.service.js';
import { presentOrganizationDetails } from '../../../modules/organizations/dto/organization.response.dto.js';
import {
  OrganizationsService,
  type OrganizationDetails,
} from '../../../modules/organizations/organizations.service.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { ServiceError } from '../../../platform/errors/service-error.js';
import { counted, singleLine } from '../../../lib/text.js';
import { COMMAND_LINE } from '../../../policy/management.js';
import type { Plan, SubscriptionStatus } from '../../../policy/plans.js';
import { confirm, type Confirmable } from '../confirm.js';
import { refused, usageError } from '../exit-status.js';
import { readerOf, requireUser } from '../lookups.js';
import { ifGiven, integerOption, text, timeOption } from '../option-values.js';
import { print, printCreated, type Output } from '../output.js';
import { withService } from '../service.js';

export async function createOrganization(
  options: Output & { name: string; owner: string; plan?: Plan },
): Promise<void> {
  const name = text('--name', options.name, LIMITS.name);
  await withService(async (service) => {
    const { plan = service.get<Settings>(SETTINGS).defaultPlan } = options;
    const owner = await requireUser(readerOf(service), '--owner', options.owner);
    const { id } = await service.get(OrganizationChangesService).create(owner, { name, plan }, COMMAND_LINE);
    printCreated(options, presentOrganizationDetails(await requireOrganization(service, id)), id, name);
  });
}

export async function updateOrganization(
  id: string,
  options: Output & {
    name?: string;
    plan?: Plan;
    subscription?: SubscriptionStatus;
    subscriptionEndsAt?: string;
    apiKeyMaxDays?: string;
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
  if ([name, plan, status, endsAt, apiKeyMaxDays].every((value) => value === undefined)) {
    throw usageError(
      'Specify at least one of --name, --plan, --subscription, --subscription-ends-at, --api-key-max-days',
    );
  }
  const subscription = status === undefined && endsAt === undefined ? undefined : { status, endsAt };
  await withService(async (service) => {
    const before = await requireOrganization(service, id);
    const changes = { name, plan, subscription, apiKeyMaxDays };
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

const requireOrganization = (service: INestApplicationContext, id: string): Promise<OrganizationDetails> =>
  service.get(OrganizationsService).get(COMMAND_LINE, id);

/** The service names the parameter of the API. */
function throwInOptions(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'CONFLICT') throw error;
  throw refused(error.message.replace('send recordings=delete', 'use --recordings delete'));
}
