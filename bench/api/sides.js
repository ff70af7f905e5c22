import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, startProcess, untilReady } from '../processes.js';
import { HIGH_LIMITS } from '../rate-limits.js';

const SERVICE = fileURLToPath(new URL('../../dist/src/entrypoints/api.js', import.meta.url));
const YARDSTICK = fileURLToPath(new URL('../yardstick.js', import.meta.url));
const BARE_NEST = fileURLToPath(new URL('../yardstick/bare-nest.js', import.meta.url));
/** The default of the service. */
const POOL_SIZE = '10';

/** The settings from which both sides build URLs. */
export const ADDRESSES = {
  SEALING_KEY: 'only share tokens of the bench are sealed with it',
  PUBLIC_URL: 'http://localhost:3000',
  URL_SIGNING_KEY: 'only URLs of the bench are signed with it',
};

/** The DATA_DIR of the service in the bench. */
export function serviceFolder({ folder }) {
  const path = join(folder, 'service');
  mkdirSync(path, { recursive: true });
  return path;
}

/** Only the API, as shipped, with rate limits that no measurement reaches; `more`: additional settings. */
export async function startService(database, more = {}) {
  const dataDir = serviceFolder(database);
  const settings = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    ...HIGH_LIMITS,
    ...ADDRESSES,
    ...more,
  };
  return startSide('service', SERVICE, dataDir, settings);
}

export async function startYardstick(database, mediaFile) {
  const settings = { DATABASE_URL: database.url, POOL_SIZE, MEDIA_FILE: mediaFile, ...ADDRESSES };
  return startSide('yardstick', YARDSTICK, serviceFolder(database), settings);
}

export async function startBareNest(database) {
  const settings = { DATABASE_URL: database.url, POOL_SIZE };
  return startSide('bare Nest application', BARE_NEST, serviceFolder(database), settings);
}

async function startSide(name, script, cwd, settings) {
  const port = await freePort();
  const { child, stop } = startProcess(process.execPath, [script], {
    // Outside the project, whose `.env` would otherwise apply.
    cwd,
    env: { ...settings, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const base = `http://127.0.0.1:${port}`;
  await untilReady(`${base}/health/ready`, { child });
  return { name, base, child, stop };
}
