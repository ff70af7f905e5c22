import { join } from 'node:path';
import { run } from './processes.js';
import type { ServerUser } from './accounts.js';

/**
 * Whether the user the server runs as can run the binaries below `native`, which a folder above them may keep from it.
 * Tried rather than read from modes, as links, access lists and mounts count too. What does not run for us either is
 * no matter of reach; initdb tells what it is.
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
