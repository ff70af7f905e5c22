import type { INestApplicationContext } from '@nestjs/common';
import {
  OrganizationDetailsService,
  type OrganizationDetails,
} from '../../modules/organizations/organization-details.service.js';
import type { User } from '../../modules/users/entities/user.entity.js';
import { UsersService } from '../../modules/users/users.service.js';
import { ServiceError } from '../../platform/errors/service-error.js';
import { isUuid } from '../../platform/ids.js';
import { isStorable, singleLine } from '../../platform/text.js';
import { COMMAND_LINE } from '../../policy/management.js';
import { CommandError, notFound, refused } from './exit-status.js';

/** How a command names a user; exactly one is given (`ofUser`). */
export interface UserOptions {
  readonly email?: string;
  readonly id?: string;
}

/** Users with the same unverified address that a message lists. */
const CLAIMANTS = 10;

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
  if (isUuid(given)) {
    return users.get(given).catch((error: unknown) => {
      throw error instanceof ServiceError && error.code === 'NOT_FOUND' ? noUser(option, value) : error;
    });
  }
  if (!isStorable(given)) throw noUser(option, value);
  const user = await users.findByEmail(given);
  if (user) return user;
  const claimants = await users.findClaimants(given, CLAIMANTS + 1);
  if (claimants.length === 0) throw noUser(option, value);
  // Anyone may have claimed the address: only the host knows which of them is meant.
  const listed = claimants
    .slice(0, CLAIMANTS)
    .map(({ id, name, createdAt }) => `  ${id}  created ${createdAt.toISOString()}  ${singleLine(name)}`);
  throw refused(
    [
      `${option}: "${value}" is not the verified address of any user. Users who gave it, unverified:`,
      ...listed,
      ...(claimants.length > CLAIMANTS ? ['  and more'] : []),
      'Use the id of the one you mean instead.',
    ].join('\n'),
  );
}

const noUser = (option: string, value: string): CommandError =>
  notFound(`${option}: there is no user "${value}"`);

export async function requireOrganization(
  service: INestApplicationContext,
  id: string,
): Promise<OrganizationDetails> {
  return service.get(OrganizationDetailsService).get(COMMAND_LINE, id);
}
