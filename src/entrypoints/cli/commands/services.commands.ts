import {
  presentCreatedServiceAccount,
  presentServiceAccount,
} from '../../../modules/service-accounts/dto/service-account.response.dto.js';
import { ServiceAccountsService } from '../../../modules/service-accounts/service-accounts.service.js';
import { counted, singleLine } from '../../../lib/text.js';
import { COMMAND_LINE } from '../../../policy/management.js';
import type { ServiceRole } from '../../../policy/roles.js';
import { confirm, type Confirmable } from '../confirm.js';
import { keyOptions, type KeyOptions } from '../key-options.js';
import { print, printList, type Output } from '../output.js';
import { withService } from '../service.js';

export async function listServiceAccounts(organizationId: string, options: Output): Promise<void> {
  await withService(async (service) => {
    const accounts = await service.get(ServiceAccountsService).list(COMMAND_LINE, organizationId);
    await printList(options, async () => ({ rows: accounts.map(presentServiceAccount) }), {
      cells: ({ id, role, name }) => [id, role, singleLine(name)],
      titles: ['ID', 'ROLE', 'NAME'],
      none: 'No service accounts found.',
    });
  });
}

export async function createServiceAccount(
  organizationId: string,
  options: Output & KeyOptions & { readonly role: ServiceRole },
): Promise<void> {
  const input = { ...keyOptions(options), role: options.role };
  await withService(async (service) => {
    const created = await service.get(ServiceAccountsService).create(COMMAND_LINE, organizationId, input);
    print(options, presentCreatedServiceAccount(created), created.issued.key);
  });
}

export async function deleteServiceAccount(
  organizationId: string,
  id: string,
  options: Output & Confirmable & { readonly newOwner?: string },
): Promise<void> {
  await withService(async (service) => {
    const accounts = service.get(ServiceAccountsService);
    const { account } = await accounts.get(COMMAND_LINE, organizationId, id);
    const name = singleLine(account.name);
    await confirm(`Delete the service account ${name}`, options);
    const { recordings } = await accounts.delete(COMMAND_LINE, organizationId, id, {
      newOwner: options.newOwner,
    });
    const message = `Deleted the service account ${name}; ${counted(recordings, 'recording')} handed over.`;
    print(options, { ...presentServiceAccount(account), recordings }, message);
  });
}
