// Installs what is missing and builds when stale. Uses nothing but Node, as nothing else may be there yet.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, isInstalled } from './install.js';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STAMP = join(ROOT, 'dist', '.built-from');
const OLDEST_NODE = [20, 19];
const BUILD_INPUTS = ['src', 'ormconfig.ts', '.swcrc', 'scripts/compile.js', 'package-lock.json'];

/**
 * Installs and builds what is missing or stale: what the service needs, with `tools` also the packages of tests and checks. Of two
 * commands started at once, one does it and the other waits.
 */
export async function prepare({ tools = false } = {}) {
  requireNode();
  if (isInstalled(ROOT, { tools }) && isBuilt()) return;
  const release = takeLock(join(ROOT, '.prepare.lock'));
  try {
    if (!isInstalled(ROOT, { tools }) && !(await install(ROOT, { tools }))) fail('npm failed; see above');
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
