import { LIMITS } from '../../contract/limits.js';
import { presentDeparture } from '../../modules/organizations/public/departure.response.dto.js';
import { presentUser } from '../../modules/users/management/dto/user.response.dto.js';
import { UserDeletionService } from '../../modules/users/management/user-deletion.service.js';
import type { User } from '../../modules/users/entities/user.entity.js';
import { UsersService } from '../../modules/users/users.service.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { readCursor } from '../../platform/http/replies/cursor.js';
import { counted, singleLine } from '../../lib/text.js';
import type { UserPlan } from '../../policy/plans.js';
import { confirm, type Confirmable } from './confirm.js';
import { usageError } from './exit-status.js';
import { givenUser, requireUser, type UserOptions } from './lookups.js';
import { emailAddress, optionalText, searchText, text } from './option-values.js';
import { print, printList, type ListOptions, type Output } from './output.js';
import { withService } from './service.js';
import { COMMAND_LINE } from '../../policy/management.js';

/** `users list`. */
export async function listUsers(options: ListOptions): Promise<void> {
  const search = searchText(options);
  await withService(async (service) => {
    const users = service.get(UsersService);
    await printList(
      options,
      ({ limit, cursor }) => users.list({ search, limit, after: readCursor(cursor) }),
      { present: presentUser, line, none: 'No users found.' },
    );
  });
}

/** `users create`. */
export async function createUser(
  options: Output & { email: string; name: string; plan?: UserPlan },
): Promise<void> {
  const email = emailAddress('--email', options.email);
  const name = text('--name', options.name, LIMITS.name);
  await withService(
    async (service) => {
      const { plan = service.get<Settings>(SETTINGS).defaultPlan } = options;
      const user = await service.get(UsersService).create({ email, name, plan }, COMMAND_LINE);
      print(options, presentUser(user), user.id);
    },
    { creates: true },
  );
}

/** `users update`. */
export async function updateUser(
  options: Output & UserOptions & { name?: string; newEmail?: string; plan?: UserPlan; operator?: boolean },
): Promise<void> {
  const { plan, operator } = options;
  const name = optionalText('--name', options.name, LIMITS.name);
  const email = options.newEmail === undefined ? undefined : emailAddress('--new-email', options.newEmail);
  if ([name, email, plan, operator].every((value) => value === undefined)) {
    throw usageError('Specify at least one of --name, --new-email, --plan, --operator, --no-operator');
  }
  await withService(async (service) => {
    const user = await requireUser(service, ...givenUser(options));
    const updated = await service
      .get(UsersService)
      .update(user.id, { name, email, plan, operator }, COMMAND_LINE);
    print(options, presentUser(updated), `Updated ${singleLine(user.email)}.`);
  });
}

/** `users delete`. */
export async function deleteUser(
  options: Output & Confirmable & UserOptions & { newOwner?: string },
): Promise<void> {
  await withService(async (service) => {
    const user = await requireUser(service, ...givenUser(options));
    const newOwner =
      options.newOwner === undefined
        ? undefined
        : await requireUser(service, '--new-owner', options.newOwner);
    await confirm(`Delete ${nameOf(user)} with their personal recordings and share links`, options);
    const deletion = service.get(UserDeletionService);
    const deleted = await deletion.delete(user, { newOwner: newOwner?.id }, COMMAND_LINE);
    const { personalRecordings, handedOver, newOwners } = deleted;
    const users = service.get(UsersService);
    const owners = await Promise.all(newOwners.map((id) => users.get(id)));
    const message = [
      `Deleted ${singleLine(user.email)} and ${counted(personalRecordings, 'personal recording')}`,
      ...(handedOver === 0 ? [] : [handedOverInWords(handedOver, owners)]),
      'API keys were kept.',
    ].join('; ');
    const { id, email } = user;
    const report = { id, email, personal_recordings: personalRecordings, handed_over: handedOver };
    const { success: _, ...left } = presentDeparture(deleted);
    print(options, { ...report, new_owners: newOwners, ...left }, message);
  });
}

function handedOverInWords(count: number, owners: readonly User[]): string {
  const names = owners.map(({ email }) => singleLine(email)).join(', ');
  return `${counted(count, 'organization recording')} now ${count === 1 ? 'belongs' : 'belong'} to ${names}`;
}

const nameOf = ({ email, name }: User): string => `${singleLine(email)} (${singleLine(name)})`;

function line({ id, email, emailVerified, name, plan, operator }: User): string {
  const address = `${singleLine(email)}${emailVerified ? '' : ' (not verified)'}`;
  return `${id}  ${plan}${operator ? ', operator' : ''}  ${address}  ${singleLine(name)}`;
}
