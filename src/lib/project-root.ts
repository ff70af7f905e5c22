import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of `package.json`, whether run from `src` or from the build. */
export const PROJECT_ROOT = above(dirname(fileURLToPath(import.meta.url)));

export function projectVersion(): string {
  const text = readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function above(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : above(dirname(folder));
}
