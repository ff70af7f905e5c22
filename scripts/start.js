// `npm start`: from a fresh clone to a running service. `npm run start:api` and `start:worker` run one part of it alone.
import module from 'node:module';
import { join } from 'node:path';
import { prepare, ROOT } from './prepare.js';

const PARENT_POLL_MS = 100;
const ENTRANCES = { all: 'start.js', api: 'main.js', worker: 'worker.js' };

/** Packages of hundreds of files each. Loaded first, they are spared the reading of their source maps: traces need ours. */
const LARGE_PACKAGES = ['class-validator', 'graphile-worker', 'rxjs', 'typeorm'];

await prepare();
// Node 22 and newer keep what they compiled for the next start.
module.enableCompileCache?.(join(ROOT, 'node_modules', '.cache', 'compiled'));
await Promise.all(LARGE_PACKAGES.map((name) => import(name)));
process.setSourceMapsEnabled(true);
await import(`../dist/src/${ENTRANCES[process.argv[2] ?? 'all']}`);
if (process.env.npm_lifecycle_event?.startsWith('start')) stopWithParent();

/** npm killed hard cannot pass the signal on; nobody should then find an unseen service still holding the port. */
function stopWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_POLL_MS);
  watch.unref();
}
