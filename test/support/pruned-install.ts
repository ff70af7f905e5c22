import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Dirent } from 'node:fs';

const PRUNE = resolve('scripts/prune-image.js');
/** What else the Dockerfile copies into the image. */
const COPIED = ['package.json', 'dist', 'demo', 'web', 'docs', 'examples/README.md'];

/**
 * Creates in `folder` what the image contains: the build, and the packages of `npm ci --omit=dev` without those that
 * the Dockerfile removes. Packages are hard links, because a symbolic link would lead back to those that were removed.
 */
export function installPruned(folder: string): void {
  for (const name of COPIED) cpSync(name, join(folder, name), { recursive: true });
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  for (const [path, { dev }] of Object.entries(packages)) {
    if (path !== '' && !dev && existsSync(path)) link(path, join(folder, path));
  }
  execFileSync(process.execPath, [PRUNE], { cwd: folder });
}

/** Packages inside others have entries of their own in the lock file. */
function link(source: string, target: string): void {
  mkdirSync(target, { recursive: true });
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    if (entry.name !== 'node_modules') linkEntry(entry, join(source, entry.name), join(target, entry.name));
  }
}

function linkEntry(entry: Dirent, source: string, target: string): void {
  if (entry.isDirectory()) return link(source, target);
  try {
    linkSync(source, target);
  } catch (error) {
    // The temporary folder may be on another disk.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(source, target);
  }
}
