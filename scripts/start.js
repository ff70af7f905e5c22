// `npm start`: from a fresh clone to a running service.
import { prepare } from './prepare.js';

const PARENT_POLL_MS = 100;

prepare();
process.setSourceMapsEnabled(true);
await import('../dist/src/main.js');
if (process.env.npm_lifecycle_event === 'start') stopWithParent();

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
