import { cpuOf, cpuOfTree, descendantsOf, idleOfMachine } from '../cpu-time.js';

/** A process that has less than this share of the CPU time of the busiest one does not answer requests. */
const BUSY = 0.25;

/** How many processes of a side answered requests while `work` ran; null where the kernel does not say. */
export async function countBusy({ child }, work) {
  // With several, the first one only starts them.
  const below = descendantsOf(child.pid);
  const answering = below.length > 0 ? below : [child.pid];
  const before = new Map(answering.map((pid) => [pid, cpuOf(pid)]));
  await work();
  if (cpuOf(child.pid) === null) return null;
  const used = [...before].map(([pid, cpu]) => (cpuOf(pid) ?? cpu) - cpu);
  return used.filter((cpu) => cpu > 0 && cpu >= BUSY * Math.max(...used)).length;
}

/**
 * Microseconds of CPU so far, by all processes of a side, by the one that starts them, by PostgreSQL, and by what sends the
 * load; and how long the cores were idle. Each null where the kernel does not say.
 */
export function readUsage({ side, database, loader }) {
  return {
    api: cpuOfTree(side.child.pid),
    primary: cpuOf(side.child.pid),
    postgres: database.pid && cpuOfTree(database.pid),
    load: cpuOf(loader.process.child.pid),
    idle: idleOfMachine(),
  };
}
