// `npm run client`: generates the types of the client libraries from openapi.json, checks the code of the one in TypeScript with them,
// and adds `<meeting-player>`. Also the first part of `npm run check`, and of `npm pack`. Does nothing if nothing has changed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CLIENT, fingerprint, prepare, ROOT } from './prepare.js';

const PROJECT = 'clients/typescript/tsconfig.json';
const STAMP = join(ROOT, 'node_modules', '.cache', 'client-types');
const TSC = join(ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc');
const SCHEMA = join(ROOT, CLIENT.schema);
const PYTHON = join(ROOT, 'clients', 'python', 'src', 'meeting_recording_client');
const PLAYER = join(ROOT, CLIENT.build, 'player');

await prepare({ tools: true });
if (!isCurrent()) {
  rmSync(STAMP, { force: true });
  await generate();
  process.exitCode = declare();
  // Not before its packages are installed.
  const { compilePlayer } = await import('./compile.js');
  await compilePlayer(ROOT, PLAYER);
  if (process.exitCode === 0) remember();
}

function isCurrent() {
  const made = [STAMP, SCHEMA, join(PYTHON, 'schema.py'), PLAYER, join(ROOT, CLIENT.build, 'index.d.ts')];
  return made.every((file) => existsSync(file)) && readFileSync(STAMP, 'utf8') === state();
}

function state() {
  return fingerprint(['openapi.json', CLIENT.source, PROJECT, 'package-lock.json', 'scripts', 'web']);
}

function remember() {
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, state());
}

/** Paths begin after `/api/v1`, as in the guides. */
async function generate() {
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  // Uses the build.
  const { pythonModules } = await import('./client-python.js');
  const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));
  const paths = Object.entries(document.paths).map(([path, item]) => [path.replace(/^\/api\/v1/, ''), item]);
  document.paths = Object.fromEntries(paths);
  for (const [name, text] of Object.entries(pythonModules(document))) writeFileSync(join(PYTHON, name), text);
  const types = await openapiTS(document, { silent: true });
  writeFileSync(SCHEMA, `// Generated from openapi.json by scripts/client.js.\n${astToString(types)}`);
}

/** Writes the declarations, unless there are errors, which it prints; returns the exit status. */
function declare() {
  const folder = join(ROOT, CLIENT.build);
  for (const name of readdirSync(folder)) if (name.endsWith('.d.ts')) rmSync(join(folder, name));
  const args = [TSC, '-p', join(ROOT, PROJECT), '--noEmitOnError'];
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
}
