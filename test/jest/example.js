import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { exampleFiles } from './example-files.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Builds the service as it is when someone has followed "Add a resource" of `docs/extending.md`, in a folder beside
 * `dist`, and returns its name. Test files that say `@example` get its modules where they import from `src`.
 */
export async function buildExample() {
  const folder = `dist.example-${process.pid}-${Date.now()}`;
  cpSync(join(ROOT, 'dist'), join(ROOT, folder), { recursive: true });
  for (const [name, source] of Object.entries(exampleFiles()))
    if (name.startsWith('src/')) await build(folder, name, source);
  return folder;
}

async function build(folder, name, source) {
  const target = join(ROOT, folder, name.replace(/\.ts$/, '.js'));
  const { code } = await transform(source, {
    filename: join(ROOT, name),
    configFile: join(ROOT, '.swcrc'),
    sourceMaps: false,
  });
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, code);
}
