import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { User } from '../../modules/users/entities/user.entity.js';
import { findUserByEmail } from '../../modules/users/public/users.queries.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { isUuid } from '../../platform/ids.js';
import { asLine, isStorable } from '../../lib/text.js';
import { placeOf } from './existing-database.js';
import { notFound } from './exit-status.js';
import type { Reader } from './reader.js';

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
  { manager, settings }: Pick<Reader, 'manager' | 'settings'>,
  option: string,
  value: string,
): Promise<User> {
  const given = asLine(value);
  const user = isUuid(given)
    ? await manager.getRepository(User).findOneBy({ id: given })
    : isStorable(given)
      ? await findUserByEmail(manager, given)
      : null;
  if (user) return user;
  // Anyone may have claimed an address without proving it: only the host knows which of them is meant.
  throw notFound(
    `${option}: there is no user "${value}" in ${placeOf(settings)}; for users with an unverified address, use the id (see users list)`,
  );
}

/** The id of the user that the options name; none if they name nobody. */
export async function findUserId(
  reader: Pick<Reader, 'manager' | 'settings'>,
  options: UserOptions,
): Promise<string | undefined> {
  if (options.email === undefined && options.id === undefined) return undefined;
  return (await requireUser(reader, ...givenUser(options))).id;
}

/** What `requireUser` takes, of a command that works with modules. */
export const readerOf = (service: INestApplicationContext): Pick<Reader, 'manager' | 'settings'> => ({
  manager: service.get(DataSource).manager,
  settings: service.get<Settings>(SETTINGS),
});
