import type { INestApplicationContext } from '@nestjs/common';
import {
  presentUpdatedMember,
  presentDeparture,
} from '../../modules/organization-management/dto/left-behind.response.dto.js';
import { MembersService } from '../../modules/organization-management/members/members.service.js';
import { presentMember } from '../../modules/organizations/dto/organization.response.dto.js';
import { OrganizationsService, type Member } from '../../modules/organizations/organizations.service.js';
import { UsersService } from '../../modules/users/users.service.js';
import { singleLine } from '../../platform/text.js';
import { COMMAND_LINE, type MemberFlags } from '../../policy/management.js';
import type { Role } from '../../policy/roles.js';
import { confirm, type Confirmable } from './confirm.js';
import { usageError } from './exit-status.js';
import { flagChanges, flagsInWords, MEMBER_FLAGS, type FlagOptions, type MemberFlag } from './flags.js';
import { disabledInWords, leftInWords } from './left-behind.js';
import { givenUser, requireMember, requireOrganization, requireUser, type UserOptions } from './lookups.js';
import { searchText } from './option-values.js';
import { byName, print, printList, type ListOptions, type Output } from './output.js';
import { withService } from './service.js';

/** `members list`. */
export async function listMembers(organizationId: string, options: ListOptions): Promise<void> {
  const search = searchText(options);
  await withService(async (service) => {
    const organizations = service.get(OrganizationsService);
    const read = byName((page) => organizations.members(COMMAND_LINE, organizationId, { search, ...page }));
    await printList(options, read, { present: presentMember, line, none: 'No members found.' });
  });
}

/** `members add`. */
export async function addMember(
  organizationId: string,
  options: Output & FlagOptions<MemberFlag> & UserOptions & { role: Role },
): Promise<void> {
  const { role } = options;
  const flags = toMemberFlags(options);
  await withService(async (service) => {
    const { name } = await requireOrganization(service, organizationId);
    const { id: userId, email } = await requireUser(service, ...givenUser(options));
    await service.get(MembersService).add(COMMAND_LINE, organizationId, { userId, role, flags });
    const member = await service.get(OrganizationsService).member(organizationId, userId);
    const what = [role, ...flagsInWords(options)].join(', ');
    print(options, presentMember(member), `Added ${singleLine(email)} to ${singleLine(name)} as ${what}.`);
  });
}

/** `members update`. */
export async function updateMember(
  organizationId: string,
  options: Output & FlagOptions<MemberFlag> & UserOptions & { role?: Role },
): Promise<void> {
  const { role } = options;
  const flags = toMemberFlags(options);
  const changes = [...(role === undefined ? [] : [`role ${role}`]), ...flagsInWords(options)];
  if (changes.length === 0) throw usageError('Specify at least one of --role, --enable, --disable');
  await withService(async (service) => {
    const { name } = await requireOrganization(service, organizationId);
    const { id, email } = await requireMember(service, organizationId, ...givenUser(options));
    const members = service.get(MembersService);
    const updated = await members.update(COMMAND_LINE, organizationId, id, { role, flags });
    const message = `Updated ${singleLine(email)} in ${singleLine(name)}: ${changes.join(', ')}${disabledInWords(updated)}.`;
    print(options, presentUpdatedMember(updated), message);
  });
}

/** `members remove`. */
export async function removeMember(
  organizationId: string,
  options: Output & Confirmable & UserOptions & { newOwner?: string },
): Promise<void> {
  await withService(async (service) => {
    const { name } = await requireOrganization(service, organizationId);
    const { id, email } = await requireMember(service, organizationId, ...givenUser(options));
    const newOwner =
      options.newOwner === undefined
        ? undefined
        : await requireMember(service, organizationId, '--new-owner', options.newOwner);
    const what = `${singleLine(email)} from ${singleLine(name)}`;
    await confirm(`Remove ${what}`, options);
    const members = service.get(MembersService);
    const departed = await members.remove(COMMAND_LINE, organizationId, id, { newOwner: newOwner?.id });
    const { newOwner: ownerId, recordings } = departed;
    const handedOver = ownerId === null ? '' : await handOver(service, recordings, ownerId);
    const { success: _, ...left } = presentDeparture(departed);
    const message = `Removed ${what}${handedOver}${leftInWords(departed)}.`;
    print(options, { id, email, recordings, new_owner: ownerId, ...left }, message);
  });
}

async function handOver(
  service: INestApplicationContext,
  recordings: number,
  ownerId: string,
): Promise<string> {
  if (recordings === 0) return '';
  const { email } = await service.get(UsersService).get(ownerId);
  const belong = recordings === 1 ? 'recording now belongs' : 'recordings now belong';
  return `; ${recordings} ${belong} to ${singleLine(email)}`;
}

function toMemberFlags(options: FlagOptions<MemberFlag>): Partial<MemberFlags> | undefined {
  const changes = flagChanges(options);
  if (changes === undefined) return undefined;
  const {
    view_all_recordings: viewAllRecordings,
    view_folder_recordings: viewFolderRecordings,
    ...features
  } = changes;
  return {
    ...features,
    ...(viewAllRecordings === undefined ? {} : { viewAllRecordings }),
    ...(viewFolderRecordings === undefined ? {} : { viewFolderRecordings }),
  };
}

/** With the flags that are enabled. */
function line(member: Member): string {
  const { id, role, email, email_verified: isVerified, name, features } = presentMember(member);
  const address = `${singleLine(email)}${isVerified ? '' : ' (not verified)'}`;
  const enabled = MEMBER_FLAGS.filter((flag) => features?.[flag]).join(',');
  return `${id}  ${role}  ${address}  ${enabled || '-'}  ${singleLine(name)}`;
}
