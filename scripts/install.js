// Installs packages with npm and reports progress. Uses only Node itself, as no packages may be installed yet.
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Progress } from './progress.js';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'];

/** Whether every required package is installed in the locked version, except those for other systems. */
export function isInstalled(root, { tools }) {
  const installed = installedIn(root);
  return needed(root, tools).every(([path, { version }]) => installed[path]?.version === version);
}

/** Installs what the lock file lists, with `tools` also the packages of tests and checks; returns whether it succeeded. */
export async function install(root, { tools }) {
  const missing = needed(root, tools).map(([path]) => join(root, path, 'package.json'));
  const progress = new Progress(
    tools
      ? 'Installing packages for the service, its tests and checks (860 MB)'
      : 'Installing packages (620 MB; takes one to three minutes the first time)',
    () => `${missing.filter((file) => existsSync(file)).length} of ${missing.length} packages`,
  );
  const succeeded = await runNpm(root, argumentsFor(root, tools), progress);
  if (succeeded) progress.end('Installed');
  return succeeded;
}

/** Tools are added without replacing installed packages: a service may be running from them. */
function argumentsFor(root, tools) {
  if (tools && isInstalled(root, { tools: false })) return ['install', '--no-save', '--include=dev'];
  const hasTools = Object.values(installedIn(root)).some(({ dev }) => dev);
  return ['ci', tools || hasTools ? '--include=dev' : '--omit=dev'];
}

/** npm's output is shown only when it fails, and on standard error: standard output belongs to the command being run. */
async function runNpm(cwd, args, progress) {
  const npm = process.env.npm_execpath;
  const options = {
    cwd,
    env: { ...process.env, ...temporaryCache() },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: !npm && process.platform === 'win32',
  };
  const all = [...args, '--no-audit', '--no-fund', '--loglevel=error'];
  const child = npm ? spawn(process.execPath, [npm, ...all], options) : spawn('npm', all, options);
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const stop = (signal) => child.kill(signal);
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  for (const signal of STOP_SIGNALS) process.off(signal, stop);
  progress.stop();
  if (status !== 0) process.stderr.write(Buffer.concat(output));
  return status === 0;
}

/** A service account often has no writable home directory; npm then gets a temporary cache. */
function temporaryCache() {
  const cache = process.env.npm_config_cache;
  if (!cache || canWriteBelow(cache)) return {};
  const own = mkdtempSync(join(tmpdir(), 'mrs-npm-cache-'));
  process.once('exit', () => rmSync(own, { recursive: true, force: true }));
  return { npm_config_cache: own };
}

/** Whether this folder is writable; creates it if possible. */
function canWriteBelow(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Entries of the lock file that must be installed on every system. */
function needed(root, tools) {
  const wanted = Object.entries(packagesOf(join(root, 'package-lock.json')));
  return wanted.filter(([path, { dev, optional }]) => path !== '' && !optional && (tools || !dev));
}

function installedIn(root) {
  const file = join(root, 'node_modules', '.package-lock.json');
  return existsSync(file) ? packagesOf(file) : {};
}

const packagesOf = (lockFile) => JSON.parse(readFileSync(lockFile, 'utf8')).packages;
