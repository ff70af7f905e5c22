// `npm start`: from a fresh clone to a running service. `npm run start:api` and `start:worker` run one part of it alone.
import { prepare } from './prepare.js';

const PARENT_POLL_MS = 100;
const ENTRANCES = { all: 'start.js', api: 'main.js', worker: 'worker.js' };

prepare();
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
