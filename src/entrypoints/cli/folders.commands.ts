import type { INestApplicationContext } from '@nestjs/common';
import { LIMITS } from '../../contract/limits.js';
import { FoldersService } from '../../modules/organization-management/folders/folders.service.js';
import { presentFolder } from '../../modules/organizations/dto/organization.response.dto.js';
import {
  OrganizationsService,
  type ListedFolderOfCaller,
} from '../../modules/organizations/organizations.service.js';
import { counted, singleLine } from '../../platform/text.js';
import { COMMAND_LINE } from '../../policy/management.js';
import { confirm, type Confirmable } from './confirm.js';
import { usageError } from './exit-status.js';
import { requireMember, requireOrganization } from './lookups.js';
import { optionalText, searchText, text } from './option-values.js';
import { byName, print, printList, type ListOptions, type Output } from './output.js';
import { withService } from './service.js';

interface FolderOptions extends Output {
  readonly restrictedTo?: readonly string[];
}

/** `folders list`. */
export async function listFolders(
  organizationId: string,
  options: ListOptions & { all?: boolean },
): Promise<void> {
  const search = searchText(options);
  const { all } = options;
  await withService(async (service) => {
    const organizations = service.get(OrganizationsService);
    const read = byName((page) =>
      organizations.folders(COMMAND_LINE, organizationId, { search, all, ...page }),
    );
    await printList(options, read, { present: presentFolder, line, none: 'No folders found.' });
  });
}

/** `folders create`. */
export async function createFolder(
  organizationId: string,
  options: FolderOptions & { name: string },
): Promise<void> {
  const name = text('--name', options.name, LIMITS.name);
  await withService(async (service) => {
    await requireOrganization(service, organizationId);
    const restrictedTo = await memberIds(service, organizationId, options);
    const input = { name, restrictedTo };
    const folder = await service.get(FoldersService).create(COMMAND_LINE, organizationId, input);
    print(options, presentFolder(folder), folder.id);
  });
}

/** `folders update`. */
export async function updateFolder(
  organizationId: string,
  folderId: string,
  options: FolderOptions & { name?: string; unrestricted?: boolean; active?: boolean },
): Promise<void> {
  const { unrestricted = false, active } = options;
  const name = optionalText('--name', options.name, LIMITS.name);
  if (unrestricted && options.restrictedTo) {
    throw usageError('--restricted-to and --unrestricted cannot be used together');
  }
  const changes = [
    ...(name === undefined ? [] : [`name ${singleLine(name)}`]),
    ...(options.restrictedTo ? [`restricted to ${namesOf(options.restrictedTo)}`] : []),
    ...(unrestricted ? ['open to all members'] : []),
    ...(active === undefined ? [] : [active ? 'active' : 'inactive']),
  ];
  if (changes.length === 0) {
    throw usageError(
      'Specify at least one of --name, --restricted-to, --unrestricted, --active, --no-active',
    );
  }
  await withService(async (service) => {
    await requireOrganization(service, organizationId);
    const restrictedTo = unrestricted ? null : await memberIds(service, organizationId, options);
    const folders = service.get(FoldersService);
    const input = { name, active, restrictedTo };
    const folder = await folders.update(COMMAND_LINE, organizationId, folderId, input);
    print(options, presentFolder(folder), `Updated ${singleLine(folder.name)}: ${changes.join(', ')}.`);
  });
}

/** `folders delete`. */
export async function deleteFolder(
  organizationId: string,
  folderId: string,
  options: Output & Confirmable,
): Promise<void> {
  await withService(async (service) => {
    const organization = await requireOrganization(service, organizationId);
    const folders = service.get(FoldersService);
    const { id, name } = await folders.get(COMMAND_LINE, organizationId, folderId);
    const what = `the folder ${singleLine(name)} of ${singleLine(organization.name)}`;
    await confirm(`Delete ${what} (its recordings are kept)`, options);
    const recordings = await folders.delete(COMMAND_LINE, organizationId, folderId);
    const left = `${counted(recordings, 'recording')} ${recordings === 1 ? 'is' : 'are'} no longer in a folder`;
    const message = `Deleted ${what}; ${left}.`;
    print(options, { id, name, recordings }, message);
  });
}

async function memberIds(
  service: INestApplicationContext,
  organizationId: string,
  { restrictedTo }: FolderOptions,
): Promise<string[] | undefined> {
  if (!restrictedTo) return undefined;
  const ids = new Set<string>();
  for (const email of restrictedTo) {
    ids.add((await requireMember(service, organizationId, '--restricted-to', email)).id);
  }
  return [...ids];
}

const namesOf = (emails: readonly string[]): string => emails.map(singleLine).join(', ') || 'no one';

/** Members are shown by the JSON. */
function line({ id, name, active, restrictedTo }: ListedFolderOfCaller): string {
  const access = restrictedTo
    ? `restricted to ${counted(restrictedTo.length, 'member')}`
    : 'open to all members';
  return `${id}  ${access}${active ? '' : ', inactive'}  ${singleLine(name)}`;
}
