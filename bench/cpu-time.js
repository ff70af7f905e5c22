import { readdirSync, readFileSync } from 'node:fs';

/** The unit of /proc/PID/stat: 100 ticks a second on every platform that Node runs on. */
const MICROSECONDS_PER_TICK = 10_000;

/** Microseconds of CPU that a process has used itself, in user and system mode; null where the kernel does not say. */
export function cpuOf(pid) {
  return statOf(pid)?.own ?? null;
}

/** The same of a process and all its descendants, also of those that have ended; null where the kernel does not say. */
export function cpuOfTree(pid) {
  const taken = [pid, ...descendantsOf(pid)].map(statOf).filter(Boolean);
  return taken.length === 0 ? null : taken.reduce((sum, { own, ofEnded }) => sum + own + ofEnded, 0);
}

/** The ids of all processes below this one. */
export function descendantsOf(pid) {
  const below = [];
  const processes = all();
  for (let parents = [pid]; parents.length > 0;) {
    const children = processes.filter(({ parent }) => parents.includes(parent));
    parents = children.map((child) => child.pid);
    below.push(...parents);
  }
  return below;
}

/** The parent of a process; null where the kernel does not say. */
export function parentOf(pid) {
  return statOf(pid)?.parent ?? null;
}

/** Microseconds that all cores of the machine together have been idle; null where the kernel does not say. */
export function idleOfMachine() {
  try {
    // cpu user nice system idle iowait ...
    const [, , , , idle, waiting] = readFileSync('/proc/stat', 'utf8').split(/\s+/, 6).map(Number);
    return (idle + waiting) * MICROSECONDS_PER_TICK;
  } catch {
    return null;
  }
}

function all() {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).map(statOf).filter(Boolean);
}

/** `own` and `ofEnded` (of children that have ended) in microseconds. */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before it, in parentheses, may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [user, system, userOfEnded, systemOfEnded] = fields.slice(11, 15).map(Number);
    return {
      pid,
      parent: Number(fields[1]),
      own: (user + system) * MICROSECONDS_PER_TICK,
      ofEnded: (userOfEnded + systemOfEnded) * MICROSECONDS_PER_TICK,
    };
  } catch {
    return null;
  }
}
