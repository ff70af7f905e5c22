// Installs what is missing and builds when stale. Uses nothing but Node, as nothing else may be there yet.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OLDEST_NODE = [20, 19];
const BUILD_INPUTS = ['src', 'ormconfig.ts', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

/** Leaves `node_modules` as the lock file says. */
export function install() {
  requireNode();
  if (isInstalled()) return;
  say('Installing packages (once)...');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  // npm's own output goes to standard error: standard output belongs to the command that asked.
  const stdio = ['ignore', 2, 2];
  const { status } = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: ROOT, stdio })
    : spawnSync('npm', args, { cwd: ROOT, stdio, shell: process.platform === 'win32' });
  if (status !== 0) fail('npm ci failed; see above');
}

/** Compiles `src` to `dist`, unless it was compiled from exactly these files before. */
export function build() {
  const stamp = fingerprint();
  const stampFile = join(ROOT, 'dist', '.built-from');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  say('Building...');
  // Beside `dist` and then into its place, so that nobody ever loads half a build.
  const fresh = join(ROOT, `dist.${process.pid}`);
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', fresh], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    fail('the build failed; see above');
  }
  writeFileSync(join(fresh, '.built-from'), stamp);
  putInPlace(fresh, join(ROOT, 'dist'));
}

/** Of two builds at once either may win: they were made from the same files. */
function putInPlace(fresh, place) {
  rmSync(place, { recursive: true, force: true });
  try {
    renameSync(fresh, place);
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Whether every package of the lock file is there in its version; those for other systems need not be. */
function isInstalled() {
  const installedFile = join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  );
}

function fingerprint() {
  const hash = createHash('sha256').update(process.version);
  for (const input of BUILD_INPUTS) addTo(hash, input);
  return hash.digest('hex');
}

function addTo(hash, path) {
  const full = join(ROOT, path);
  if (statSync(full).isDirectory()) {
    for (const name of readdirSync(full).toSorted()) addTo(hash, `${path}/${name}`);
  } else {
    hash.update(path).update(readFileSync(full));
  }
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [needMajor, needMinor] = OLDEST_NODE;
  if (major < needMajor || (major === needMajor && minor < needMinor)) {
    fail(`Node ${OLDEST_NODE.join('.')} or newer is needed, this is ${process.versions.node}`);
  }
}

export function say(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
