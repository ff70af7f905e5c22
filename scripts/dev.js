// `npm run dev`: runs the service and restarts it after every change to the source. INSPECT_PORT (default 9229) is the debugging
// port of the API; the worker uses the next one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { stopWithParent } from './parent.js';
import { prepare, ROOT, say } from './prepare.js';
import { rebuild } from './rebuild.js';
import { whenChanged } from './when-changed.js';

const WATCHED = ['src', 'web', 'demo', '.env', '.swcrc'];
const STOP_DEADLINE_MS = 15_000;
const inspectPort = Number(process.env.INSPECT_PORT || 9229);

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stopping.abort());
stopWithParent();

await prepare();
while (!stopping.signal.aborted) {
  const parts = [start('entrypoints/api.js', inspectPort), start('entrypoints/worker.js', inspectPort + 1)];
  do {
    await whenChanged(WATCHED, stopping.signal);
  } while (!stopping.signal.aborted && !(await rebuild()));
  await Promise.all(parts.map(stop));
}

/** Starts a part of the service with the inspector enabled, without waiting for a debugger. */
function start(part, port) {
  const options = ['--enable-source-maps', `--inspect=127.0.0.1:${port}`];
  const child = spawn(process.execPath, [...options, join(ROOT, 'dist', 'src', part)], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  const ended = once(child, 'exit');
  child.once('exit', (status) => {
    if (status !== 0 && !stopping.signal.aborted)
      say(`${part} exited; it will be restarted after the next change.`);
  });
  return { child, ended };
}

async function stop({ child, ended }) {
  child.kill('SIGTERM');
  const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
  await ended;
  clearTimeout(deadline);
}
