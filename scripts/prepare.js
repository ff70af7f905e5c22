// Installs missing packages and rebuilds a stale build. Uses only Node itself, as no packages may be installed yet.
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
 * Installs and builds what is missing or stale: what the service needs, with `tools` also the packages of tests and checks. If two
 * commands start at once, one does the work and the other waits.
 */
export async function prepare({ tools = false } = {}) {
  requireNode();
  if (isInstalled(ROOT, { tools }) && isBuilt()) return;
  const release = takeLock(join(ROOT, '.prepare.lock'));
  try {
    if (!isInstalled(ROOT, { tools }) && !(await install(ROOT, { tools }))) fail('npm failed; see above.');
    if (!isBuilt()) await build();
  } finally {
    release();
  }
}

/** Keeps an existing build, even a stale one: a service may be running from it. */
export async function prepareOnce() {
  if (!existsSync(STAMP)) return prepare();
  requireNode();
  if (!isBuilt())
    say(
      'The source has changed since the last build, which this command uses. To rebuild, run `npm run build`.',
    );
}

/** Whether `dist` was compiled from exactly these files. */
function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint(BUILD_INPUTS);
}

/** Compiles `src` to `dist`. */
async function build() {
  say('Building...');
  // Built next to `dist` and then moved into place, so that no process ever loads a partial build.
  const fresh = join(ROOT, `dist.${process.pid}`);
  const from = fingerprint(BUILD_INPUTS);
  try {
    const { compile } = await import('./compile.js');
    await compile(ROOT, fresh);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    fail(`${error.message}\nThe build failed; see above.`);
  }
  writeFileSync(join(fresh, '.built-from'), from);
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
  renameSync(fresh, join(ROOT, 'dist'));
}

/** SHA-256 of the names and contents of these files and folders of the project. */
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

/** The lock is a file that contains its holder's process id. An abandoned lock is removed. */
function takeLock(path) {
  for (let announced = false; ; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      const release = () => rmSync(path, { force: true });
      process.once('exit', release);
      return release;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned(path)) rmSync(path, { force: true });
    else if (!announced) {
      say(
        `Waiting for another command to finish installing or building (if none is running, remove ${path})...`,
      );
      announced = true;
    }
  }
}

/** Whether the holder is dead, or its process id has been reused: by this process, or since the machine was restarted. */
function isAbandoned(path) {
  try {
    const holder = Number(readFileSync(path, 'utf8'));
    const age = Date.now() - statSync(path).mtimeMs;
    // Empty between its creation and the write.
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
    fail(`Node ${OLDEST_NODE.join('.')} or newer is required; this is Node ${process.versions.node}.`);
  }
}

export function say(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
