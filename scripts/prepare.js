// Installs missing packages and rebuilds a stale build. Uses only Node itself, as no packages may be installed yet.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { uptime } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, isInstalled } from './install.js';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The client library. `npm run client` generates `schema`, which holds only types, from the API document. */
export const CLIENT = {
  source: 'clients/typescript/src',
  schema: 'clients/typescript/src/schema.ts',
  build: 'clients/typescript/dist',
};
const STAMP = join(ROOT, 'dist', '.built-from');
const OLDEST_NODE = [20, 19];
const BUILD_INPUTS = [
  'src',
  CLIENT.source,
  'ormconfig.ts',
  '.swcrc',
  'scripts/compile.js',
  'package-lock.json',
];

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
  // Usually nothing is newer, and then nothing needs to be read.
  const builtAt = statSync(STAMP).mtimeMs;
  if (BUILD_INPUTS.some((path) => isNewer(path, builtAt)) && !isBuilt())
    say(
      'The source has changed since the last build, which this command uses. To rebuild, run `npm run build`.',
    );
}

/** Whether both builds were compiled from exactly these files. */
function isBuilt() {
  if (!existsSync(STAMP) || !existsSync(join(ROOT, CLIENT.build, 'index.js'))) return false;
  return readFileSync(STAMP, 'utf8') === JSON.stringify(buildInputs());
}

/** The hash of each file that the build is made from. */
function buildInputs() {
  const paths = BUILD_INPUTS.flatMap((path) => filesBelow(path)).filter((path) => path !== CLIENT.schema);
  return Object.fromEntries(paths.map((path) => [path, fingerprint([path])]));
}

const isClient = (path) => path.startsWith(`${CLIENT.source}/`);
const isSource = (path) => path.endsWith('.ts') && !isClient(path);

/** Compiles `src` to `dist`: what has changed since the last build, or everything. Also the client library, as a whole. */
async function build() {
  say('Building...');
  // Built next to `dist`: if any file cannot be compiled, nothing of `dist` changes.
  const fresh = join(ROOT, `dist.${process.pid}`);
  const from = buildInputs();
  const changed = changedSources(from);
  try {
    const { compile, compileClient, compiled } = await import('./compile.js');
    await compileClient(Object.keys(from).filter(isClient), join(ROOT, CLIENT.build));
    await compile(
      ROOT,
      (changed ?? Object.keys(from)).filter((path) => isSource(path) && from[path]),
      fresh,
    );
    if (changed) {
      rmSync(STAMP);
      for (const path of changed.filter(isSource).flatMap(compiled))
        replace(join(fresh, path), join(ROOT, 'dist', path));
    } else replace(fresh, join(ROOT, 'dist'));
  } catch (error) {
    // Before the process ends.
    rmSync(fresh, { recursive: true, force: true });
    fail(`${error.message}\nThe build failed; see above.`);
  }
  rmSync(fresh, { recursive: true, force: true });
  writeFileSync(STAMP, JSON.stringify(from));
}

/** The sources that are new, different or gone since the last build; null if all must be compiled. */
function changedSources(from) {
  if (!existsSync(STAMP)) return null;
  const text = readFileSync(STAMP, 'utf8');
  const before = text.startsWith('{') ? JSON.parse(text) : {};
  const changed = Object.keys({ ...before, ...from }).filter((path) => before[path] !== from[path]);
  return changed.every((path) => path.startsWith('src/') || isClient(path)) ? changed : null;
}

/** Moves a file or folder, if it exists, to where another may be. */
function replace(from, to) {
  rmSync(to, { recursive: true, force: true });
  if (!existsSync(from)) return;
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}

/** SHA-256 of the names and contents of these files and folders of the project. */
export function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((one) => filesBelow(one)))
    hash.update(path).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex');
}

/** The files below a folder of the project, or this file. */
function filesBelow(path) {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  const names = readdirSync(join(ROOT, path)).toSorted();
  return names.flatMap((name) => filesBelow(`${path}/${name}`));
}

/** Whether this file, or anything below this folder, was changed after a time, as far as the file system tells. */
function isNewer(path, time) {
  const found = statSync(join(ROOT, path));
  if (found.mtimeMs > time) return true;
  return (
    found.isDirectory() && readdirSync(join(ROOT, path)).some((name) => isNewer(`${path}/${name}`, time))
  );
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
