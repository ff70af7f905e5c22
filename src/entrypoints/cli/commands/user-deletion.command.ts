import { presentDeparture } from '../../../modules/organizations/public/departure.response.dto.js';
import { UserDeletionService } from '../../../modules/users/management/user-deletion.service.js';
import type { User } from '../../../modules/users/entities/user.entity.js';
import { UsersService } from '../../../modules/users/users.service.js';
import { counted, singleLine } from '../../../lib/text.js';
import { COMMAND_LINE } from '../../../policy/management.js';
import { confirm, type Confirmable } from '../confirm.js';
import { givenUser, readerOf, requireUser, type UserOptions } from '../lookups.js';
import { ifGiven } from '../option-values.js';
import { print, type Output } from '../output.js';
import { withService } from '../service.js';

export async function deleteUser(
  options: Output & Confirmable & UserOptions & { newOwner?: string },
): Promise<void> {
  await withService(async (service) => {
    const user = await requireUser(readerOf(service), ...givenUser(options));
    const newOwner = await ifGiven(options.newOwner, (value) =>
      requireUser(readerOf(service), '--new-owner', value),
    );
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
