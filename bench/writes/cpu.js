import { readFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second, whatever the kernel's own tick. */
const TICK_MICROSECONDS = 10_000;

/** CPU time of a process so far in microseconds; null where the kernel does not tell. */
export function cpuOf({ child }) {
  try {
    const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
    // The second field, the name in parentheses, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS;
  } catch {
    return null;
  }
}
