import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of `package.json`, whether run from `src` or from the build. */
export const PROJECT_ROOT = above(dirname(fileURLToPath(import.meta.url)));

function above(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : above(dirname(folder));
}
