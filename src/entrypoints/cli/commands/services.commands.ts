import { counted, singleLine } from '../../../lib/text.js';
import {
  presentCreatedServiceAccount,
  presentServiceAccount,
} from '../../../modules/service-accounts/service-account.dto.js';
import { ServiceAccountsService } from '../../../modules/service-accounts/service-accounts.service.js';
import { COMMAND_LINE } from '../../../policy/management.js';
import type { ServiceRole } from '../../../policy/roles.js';
import { withService } from '../host.js';
import { keyOptions, type KeyOptions } from '../keys.js';
import { print, printList, type Output } from '../output.js';
import { confirm, type Confirmable } from '../prompts.js';

export const listServiceAccounts = (organizationId: string, options: Output): Promise<void> =>
  withService(async ({ get }) => {
    const accounts = await get(ServiceAccountsService).list(COMMAND_LINE, organizationId);
    await printList(options, accounts.map(presentServiceAccount), {
      cells: ({ id, role, name }) => [id, role, singleLine(name)],
      titles: ['ID', 'ROLE', 'NAME'],
      none: 'No service accounts found.',
    });
  });

export async function createServiceAccount(
  organizationId: string,
  options: Output & KeyOptions & { readonly role: ServiceRole },
): Promise<void> {
  const input = { ...keyOptions(options), role: options.role };
  await withService(async ({ get }) => {
    const created = await get(ServiceAccountsService).create(COMMAND_LINE, organizationId, input);
    print(options, presentCreatedServiceAccount(created), created.issued.key);
  });
}

export const deleteServiceAccount = (
  organizationId: string,
  id: string,
  options: Output & Confirmable & { readonly newOwner?: string },
): Promise<void> =>
  withService(async ({ get }) => {
    const accounts = get(ServiceAccountsService);
    const { account } = await accounts.get(COMMAND_LINE, organizationId, id);
    const { newOwner } = options;
    const name = singleLine(account.name);
    await confirm(`Delete the service account ${name}`, options);
    const { recordings } = await accounts.delete(COMMAND_LINE, organizationId, id, { newOwner });
    const message = `Deleted the service account ${name}; ${counted(recordings, 'recording')} handed over.`;
    print(options, { ...presentServiceAccount(account), recordings }, message);
  });
