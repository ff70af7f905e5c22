// The client of the heavy user, in a separate low-priority process, so that it takes no CPU time from the service.
// Receives what to send over IPC, sends until asked for its counts, and exits when the channel closes.
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpClient } from './http-client.js';
import { loadOf } from './loads.js';

const REPLY_DEADLINE_MS = 30_000;
/** Milliseconds between requests while the service is unreachable. */
const RETRY_MS = 100;

setPriority(constants.priority.PRIORITY_LOW);
const counts = {};

process.once('message', ({ id, base, world }) => {
  const { connections, prepare } = loadOf(id);
  const step = prepare(world);
  const client = new HttpClient({ base, key: world.heavy.key, connections, timeout: REPLY_DEADLINE_MS });
  for (let connection = 0; connection < connections; connection += 1) void repeat(step, client, connection);
  process.send({ started: true });
  process.on('message', () => process.send({ counts }));
});
process.once('disconnect', () => process.exit(0));

async function repeat(step, client, connection) {
  for (let n = 0; ; n += 1) {
    const { status } = await step(client, connection, n);
    const outcome = status ?? 'no reply';
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (status === null) await sleep(RETRY_MS);
  }
}
