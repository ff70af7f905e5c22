import { LIMITS } from '../../contract/limits.js';
import { UserDeletionService } from '../../modules/user-deletion/user-deletion.service.js';
import { UsersService } from '../../modules/users/users.service.js';
import { StartError } from '../../platform/config/settings.js';
import { isStorable } from '../../platform/text.js';
import type { UserPlan } from '../../policy/plans.js';
import { print, type Output } from './output.js';
import { requireUser, text, withService } from './service.js';

export async function createUser(
  options: Output & { email: string; name: string; plan: UserPlan },
): Promise<void> {
  const email = options.email.trim();
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > LIMITS.email.max || !isStorable(email)) {
    throw new StartError(`--email: must be an email address, not "${options.email}"`);
  }
  const name = text('--name', options.name, LIMITS.name);
  await withService(async (service) => {
    const { id, plan } = await service.get(UsersService).create({ email, name, plan: options.plan });
    print(options, { id, email, name, plan }, id);
  });
}

export async function deleteUser(options: Output & { email: string }): Promise<void> {
  await withService(async (service) => {
    const user = await requireUser(service, options.email);
    const { personalRecordings } = await service.get(UserDeletionService).delete(user);
    const message = `deleted ${user.email} and ${personalRecordings} personal recordings; API keys were kept`;
    print(options, { id: user.id, email: user.email, personalRecordings }, message);
  });
}
