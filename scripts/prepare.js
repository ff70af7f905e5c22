// Installs what is missing and builds when stale. Uses nothing but Node, as nothing else may be there yet.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STAMP = join(ROOT, 'dist', '.built-from');
const OLDEST_NODE = [20, 19];
const BUILD_INPUTS = ['src', 'ormconfig.ts', '.swcrc', 'scripts/compile.js', 'package-lock.json'];

/** Installs and builds what is missing or stale. Of two commands started at once, one does it and the other waits. */
export async function prepare() {
  requireNode();
  if (isInstalled() && isBuilt()) return;
  const release = takeLock(join(ROOT, '.prepare.lock'));
  try {
    if (!isInstalled()) install();
    if (!isBuilt()) await build();
  } finally {
    release();
  }
}

/** Leaves a build that is there as it is, even when it is stale: a service may be running from it. */
export async function prepareOnce() {
  if (!existsSync(STAMP)) return prepare();
  requireNode();
  if (!isBuilt())
    say('The source has changed since the last build, which is used here; `npm run build` makes a new one.');
}

/** Leaves `node_modules` as the lock file says. */
function install() {
  say('Installing packages (once)...');
  const cache = process.env.npm_config_cache;
  if (!cache || canWriteBelow(cache)) return runNpmCi();
  // A service account often has no home directory, or one it cannot write to.
  const own = mkdtempSync(join(tmpdir(), 'mrs-npm-cache-'));
  process.once('exit', () => rmSync(own, { recursive: true, force: true }));
  runNpmCi({ npm_config_cache: own });
}

function runNpmCi(settings = {}) {
  const npm = process.env.npm_execpath;
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  // npm's own output goes to standard error: standard output belongs to the command that asked.
  const options = { cwd: ROOT, env: { ...process.env, ...settings }, stdio: ['ignore', 2, 2] };
  const { status } = npm
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (status !== 0) fail('npm ci failed; see above');
}

/** Whether this folder is writable; creates it where it can. */
function canWriteBelow(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether `dist` was compiled from exactly these files. */
function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint(BUILD_INPUTS);
}

/** Compiles `src` to `dist`. */
async function build() {
  say('Building...');
  // Beside `dist` and then into its place, so that nobody ever loads half a build.
  const fresh = join(ROOT, `dist.${process.pid}`);
  const from = fingerprint(BUILD_INPUTS);
  try {
    const { compile } = await import('./compile.js');
    await compile(ROOT, fresh);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    fail(`${error.message}\nthe build failed; see above`);
  }
  writeFileSync(join(fresh, '.built-from'), from);
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
  renameSync(fresh, join(ROOT, 'dist'));
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

/** SHA-256 of these files and folders of the project, with their names. */
export function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of paths) addTo(hash, path);
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

/** A file with the process id of its holder. One whose holder is gone is taken over. */
function takeLock(path) {
  for (let told = false; ; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      const release = () => rmSync(path, { force: true });
      process.once('exit', release);
      return release;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned(path)) rmSync(path, { force: true });
    else if (!told) {
      say(`Waiting for another command that installs or builds (else remove ${path})...`);
      told = true;
    }
  }
}

/** Its holder is dead, or the number has gone to somebody else since: to us, or before the machine was started. */
function isAbandoned(path) {
  try {
    const holder = Number(readFileSync(path, 'utf8'));
    const age = Date.now() - statSync(path).mtimeMs;
    // Empty for the moment between making and writing it.
    if (!holder) return age > 2_000;
    return !isAlive(holder) || holder === process.pid || age > uptime() * 1000;
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
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
