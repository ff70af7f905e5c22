import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const READ = 0o4;
const ENTER = 0o1;

/**
 * Whether the user the server runs as can execute the binaries below `native`. PostgreSQL resolves its own path
 * and reads its libraries and its share folder beside it, so each parent counts. `uid` undefined: we run it ourselves.
 */
export async function isReachable(native: string, uid: number | undefined): Promise<boolean> {
  if (uid === undefined) return true;
  const real = await realpath(native);
  for (let folder = real; ; folder = dirname(folder)) {
    if (!(await allows(folder, uid, ENTER))) return false;
    if (folder === dirname(folder)) break;
  }
  for (const folder of [
    'bin',
    'lib',
    'lib/postgresql',
    'share',
    'share/postgresql',
    'share/postgresql/extension',
  ]) {
    if (!(await allows(join(real, folder), uid, READ | ENTER))) return false;
  }
  const libraries = (await readdir(join(real, 'lib'))).filter((name) => name.includes('.so'));
  const files = ['share/postgresql/postgres.bki', ...libraries.map((name) => `lib/${name}`)];
  for (const file of files) if (!(await allows(join(real, file), uid, READ))) return false;
  return allows(join(real, 'bin', 'postgres'), uid, READ | ENTER);
}

/** Group membership is left out: the worst that follows is a copy that was not needed. */
async function allows(path: string, uid: number, wanted: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return false;
  const granted = found.uid === uid ? found.mode >> 6 : found.mode;
  return (granted & wanted) === wanted;
}
