import { stat } from 'node:fs/promises';
import { accountName, accounts, type Account, type ServerUser } from './accounts.js';
import { EmbeddedPostgresError, errorCode, explainFileError } from './embedded-postgres.error.js';
import type { PostgresLayout } from './postgres-layout.js';

export async function chooseServerUser(layout: PostgresLayout): Promise<ServerUser> {
  const me = process.getuid?.();
  if (me === undefined) return {};
  if (me === 0) return chooseForRoot(layout);
  const owner =
    (await ownerOf(layout.data)) ?? (await ownerOf(layout.cluster)) ?? (await ownerOf(layout.home));
  if (owner === undefined || owner.uid === me) return {};
  throw new EmbeddedPostgresError(
    `The database in ${layout.home} belongs to another user (${await accountName(owner.uid)}). Start the ` +
      'service as the user who created it, or give it another DATA_DIR.',
  );
}

/** The owner of the existing cluster; for a new one in a folder owned by root: `postgres`, or else `nobody`. */
async function chooseForRoot(layout: PostgresLayout): Promise<ServerUser> {
  const server = await ownerOf(layout.data);
  if (server) return unlessRoot(layout, server);
  const home = await ownerOf(layout.home);
  // initdb rejects a user without a name, which the owner of a folder mounted into a container may be.
  const named = (await accounts()).some((account) => account.uid === home?.uid);
  if (home && home.uid !== 0 && named) return home;
  const { uid, gid } = await unprivilegedUser();
  return { uid, gid };
}

/** Undefined if there is no such folder, or it is in one that this user may not enter. */
async function ownerOf(folder: string): Promise<Required<ServerUser> | undefined> {
  try {
    const { uid, gid } = await stat(folder);
    return { uid, gid };
  } catch (error) {
    if (['ENOENT', 'EACCES'].includes(errorCode(error) ?? '')) return undefined;
    throw explainFileError(error, folder);
  }
}

async function unlessRoot(layout: PostgresLayout, owner: Required<ServerUser>): Promise<ServerUser> {
  if (owner.uid !== 0) return owner;
  const { name } = await unprivilegedUser();
  throw new EmbeddedPostgresError(
    `${layout.data} belongs to root, and PostgreSQL refuses to run as root. ` +
      `Change its owner back, for example: chown -R ${name} ${layout.data}`,
  );
}

async function unprivilegedUser(): Promise<Account> {
  const known = await accounts();
  const pick = (name: string): Account | undefined =>
    known.find((account) => account.name === name && account.uid > 0);
  return pick('postgres') ?? pick('nobody') ?? { name: 'nobody', uid: 65534, gid: 65534 };
}
