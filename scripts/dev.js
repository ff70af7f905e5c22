// `npm run dev`: runs the service and restarts it after every change to the source. INSPECT_PORT (default 9229) is the debugging
// port of the API; the worker uses the next one.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { stopWithParent } from './parent.js';
import { prepare, ROOT, say } from './prepare.js';
import { rebuild } from './rebuild.js';
import { whenChanged } from './when-changed.js';

const DEV_PART = fileURLToPath(new URL('./dev-part.js', import.meta.url));
const WATCHED = ['src', 'web', 'docs', 'demo', '.env', '.swcrc'];
const STOP_DEADLINE_MS = 15_000;
const inspectPort = Number(process.env.INSPECT_PORT || 9229);

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stopping.abort());
stopWithParent();

await prepare();
let held;
let ahead = startAhead();
let changed = whenChanged(WATCHED, stopping.signal);
while (!stopping.signal.aborted) {
  const parts = ahead.map(run);
  ahead = [];
  // The next ones start when these no longer need the time.
  parts.at(-1).child.once('message', () => {
    ahead = startAhead();
    held ??= holdDatabase().catch(() => null);
  });
  do {
    await changed;
    // What changes during a build is for the next one.
    changed = whenChanged(WATCHED, stopping.signal);
  } while (!stopping.signal.aborted && !(await rebuild()));
  await Promise.all(parts.map(stop));
  if (ahead.length === 0) ahead = startAhead();
}
await Promise.all(ahead.map(stop));
await (await held)?.release();

/** Processes that are ready to run the parts of the service. */
function startAhead() {
  return ['api', 'worker'].map((name, index) => {
    const part = `entrypoints/${name}.js`;
    const file = pathToFileURL(join(ROOT, 'dist', 'src', part)).href;
    const child = fork(DEV_PART, [file, inspectPort + index], { cwd: ROOT });
    return { part, child, ended: once(child, 'exit') };
  });
}

function run(ready) {
  const { part, child } = ready;
  child.once('exit', (status) => {
    if (status !== 0 && !stopping.signal.aborted)
      say(`${part} exited; it will be restarted after the next change.`);
  });
  if (child.connected) child.send('run');
  return ready;
}

/** Uses the embedded database, if it is that, so that it keeps running while the service restarts. */
async function holdDatabase() {
  const { readSettings } = await import('../dist/src/platform/config/read-settings.js');
  const { EmbeddedPostgres } = await import('../dist/src/lib/embedded-postgres/embedded-postgres.js');
  const { databaseUrl, dataDir } = readSettings();
  return databaseUrl ? null : EmbeddedPostgres.open({ dataDir });
}

async function stop({ child, ended }) {
  child.kill('SIGTERM');
  const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
  await ended;
  clearTimeout(deadline);
}
