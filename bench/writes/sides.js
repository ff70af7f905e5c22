import { fileURLToPath } from 'node:url';
import { ADDRESSES, serviceFolder } from '../api/sides.js';
import { freePort, startProcess, untilReady } from '../processes.js';

const BY_HAND = fileURLToPath(new URL('by-hand.js', import.meta.url));
const WORKER = fileURLToPath(new URL('../../dist/src/entrypoints/worker.js', import.meta.url));
/** The default of the service. */
const POOL_SIZE = '10';

export async function startByHand(database) {
  const port = await freePort();
  const folder = serviceFolder(database);
  const env = { DATABASE_URL: database.url, DATA_DIR: folder, POOL_SIZE, PORT: String(port), ...ADDRESSES };
  const side = start(BY_HAND, folder, env);
  const base = `http://127.0.0.1:${port}`;
  await untilReady(`${base}/health/ready`, side);
  return { name: 'by hand', base, ...side };
}

/** One worker process, which begins as soon as it is ready. */
export function startWorker(database) {
  const folder = serviceFolder(database);
  return start(WORKER, folder, { DATABASE_URL: database.url, DATA_DIR: folder, ...ADDRESSES });
}

function start(script, cwd, env) {
  return startProcess(process.execPath, [script], { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
}
