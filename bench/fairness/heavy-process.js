import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startProcess } from '../processes.js';

const SCRIPT = fileURLToPath(new URL('heavy-user.js', import.meta.url));

/** Starts a load and resolves once it runs. `stop()` ends it and returns the number of replies by status. */
export async function startLoad({ id, base, world }) {
  const { child, ended, stop } = startProcess(process.execPath, [SCRIPT], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ask = async (message) => {
    child.send(message);
    const [reply] = await Promise.race([once(child, 'message'), ended.then(() => [])]);
    if (!reply) throw new Error(`load ${id}: the process that sends it has exited`);
    return reply;
  };
  await ask({ id, base, world });
  return {
    stop: async () => {
      const { counts } = await ask('counts');
      await stop();
      return counts;
    },
  };
}
