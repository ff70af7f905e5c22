import { LIMITS } from '../../../contract/limits.js';
import { presentUser } from '../../../modules/users/management/dto/user.response.dto.js';
import { Organization } from '../../../modules/organizations/entities/organization.entity.js';
import { User } from '../../../modules/users/entities/user.entity.js';
import { UsersService } from '../../../modules/users/users.service.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { singleLine } from '../../../lib/text.js';
import type { UserPlan } from '../../../policy/plans.js';
import { usageError } from '../exit-status.js';
import { givenUser, readerOf, requireUser, type UserOptions } from '../lookups.js';
import { emailAddress, ifGiven, text } from '../option-values.js';
import { print, printCreated, type Output } from '../output.js';
import { withProviders } from '../service.js';
import { COMMAND_LINE } from '../../../policy/management.js';

const PARTS = { entities: [User, Organization], providers: [UsersService] };

export async function createUser(
  options: Output & { email: string; name: string; plan?: UserPlan },
): Promise<void> {
  const email = emailAddress('--email', options.email);
  const name = text('--name', options.name, LIMITS.name);
  await withProviders(
    PARTS,
    async (service) => {
      const { plan = service.get<Settings>(SETTINGS).defaultPlan } = options;
      const user = await service.get(UsersService).create({ email, name, plan }, COMMAND_LINE);
      printCreated(options, presentUser(user), user.id, `${user.email}  ${user.name}`);
    },
    { creates: true },
  );
}

export async function updateUser(
  options: Output & UserOptions & { name?: string; newEmail?: string; plan?: UserPlan; operator?: boolean },
): Promise<void> {
  const { plan, operator } = options;
  const name = ifGiven(options.name, (value) => text('--name', value, LIMITS.name));
  const email = ifGiven(options.newEmail, (value) => emailAddress('--new-email', value));
  if ([name, email, plan, operator].every((value) => value === undefined)) {
    throw usageError('Specify at least one of --name, --new-email, --plan, --operator, --no-operator');
  }
  await withProviders(PARTS, async (service) => {
    const user = await requireUser(readerOf(service), ...givenUser(options));
    const changes = { name, email, plan, operator };
    const updated = await service.get(UsersService).update(user.id, changes, COMMAND_LINE);
    print(options, presentUser(updated), `Updated ${singleLine(user.email)}.`);
  });
}
