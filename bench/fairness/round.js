import { setTimeout as sleep } from 'node:timers/promises';
import { copyPrepared } from './database.js';
import { COMMON_OPERATIONS, measureCompletion, measureOperations } from './good-user.js';
import { startLoad } from './heavy-process.js';
import { startService } from './service.js';

/**
 * One round of one load, on a newly started service and a fresh copy of the data, so that no other load has left traces:
 * first without load, then with the heavy user. Returns waits by operation, seconds to COMPLETED and replies to the load.
 */
export async function measureRound({ server, world, load, seconds, warmUp }) {
  const url = await copyPrepared(server);
  const { base, stop } = await startService({ folder: server.folder, url });
  const names = [...COMMON_OPERATIONS, ...load.measures];
  const measure = async (time) => ({
    operations: await measureOperations({ base, world, names, seconds: time }),
    completed: await measureCompletion({ base, world }),
  });
  await measureOperations({ base, world, names, seconds: warmUp, unpaced: true });
  const quiet = await measure(seconds);
  const running = await startLoad({ id: load.id, base, world });
  await sleep(warmUp * 500);
  const loaded = await measure(seconds);
  const replies = await running.stop();
  await stop();
  return { quiet, loaded, replies };
}
