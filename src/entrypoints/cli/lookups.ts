import type { INestApplicationContext } from '@nestjs/common';
import {
  OrganizationsService,
  type OrganizationDetails,
} from '../../modules/organizations/organizations.service.js';
import type { User } from '../../modules/users/entities/user.entity.js';
import { UsersService } from '../../modules/users/users.service.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { isUuid } from '../../platform/ids.js';
import { isStorable } from '../../lib/text.js';
import { COMMAND_LINE } from '../../policy/management.js';
import { placeOf } from './existing-database.js';
import { notFound } from './exit-status.js';

/** How a command names a user; exactly one is given (`ofUser`). */
export interface UserOptions {
  readonly email?: string;
  readonly id?: string;
}

/** The option that names the user, with its value. */
export const givenUser = ({ email = '', id }: UserOptions): [option: string, given: string] =>
  id === undefined ? ['--email', email] : ['--id', id];

/** The user with the verified email address, or the id, that an option gives. */
export async function requireUser(
  service: INestApplicationContext,
  option: string,
  value: string,
): Promise<User> {
  const users = service.get(UsersService);
  const given = value.trim();
  const user = isUuid(given)
    ? await users.findById(given)
    : isStorable(given)
      ? await users.findByEmail(given)
      : null;
  if (user) return user;
  // Anyone may have claimed an address without proving it: only the host knows which of them is meant.
  throw notFound(
    `${option}: there is no user "${value}" in ${placeOf(service.get<Settings>(SETTINGS))}; one whose address is not verified is named by the id (users list)`,
  );
}

export async function requireOrganization(
  service: INestApplicationContext,
  id: string,
): Promise<OrganizationDetails> {
  return service.get(OrganizationsService).get(COMMAND_LINE, id);
}
