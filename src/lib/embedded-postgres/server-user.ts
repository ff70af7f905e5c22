import type { PostgresLayout, ServerUser } from './layout.js';
import { readFile, stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

/** Returns, for root, the owner of the existing cluster; for a new one `postgres`, or else `nobody`. */
export async function chooseServerUser({ home, data }: PostgresLayout): Promise<ServerUser> {
  const me = process.getuid?.();
  if (me === undefined) return {};
  const cluster = await stat(data).catch(() => undefined);
  if (me === 0) {
    if (cluster?.uid !== 0) return cluster ? { uid: cluster.uid, gid: cluster.gid } : unprivilegedUser();
    throw new EmbeddedPostgresError(
      `${data} belongs to root, and PostgreSQL refuses to run as root. ` +
        `Change its owner back, for example: chown -R postgres ${data}`,
    );
  }
  const { uid } = cluster ?? (await stat(home));
  if (uid === me) return {};
  throw new EmbeddedPostgresError(
    `The database in ${home} belongs to another user (uid ${uid}). Start the ` +
      'service as the user who created it, or give it another DATA_DIR.',
  );
}

async function unprivilegedUser(): Promise<ServerUser> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const idsOf = (name: string): RegExpExecArray | null =>
    new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(passwd);
  const [, uid = 65534, gid = 65534] = idsOf('postgres') ?? idsOf('nobody') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}
