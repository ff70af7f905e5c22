import { join } from 'node:path';
import { run } from './processes.js';
import type { ServerUser } from './accounts.js';

/**
 * Whether the server's user can run the binaries below `native`; a parent folder may deny access. Tried out rather than
 * derived from file modes, as symlinks, ACLs and mounts matter too. Binaries that do not run for this user either have
 * another problem, which initdb will report.
 */
export async function isReachable(native: string, user: ServerUser): Promise<boolean> {
  if (user.uid === undefined) return true;
  const runsFor = (who: ServerUser): Promise<boolean> =>
    run(join(native, 'bin', 'postgres'), ['--version'], { cwd: '/', user: who }).then(
      ({ code }) => code === 0,
      () => false,
    );
  return (await runsFor(user)) || !(await runsFor({}));
}
