import { readFileSync } from 'node:fs';

/** Clock ticks a second, the same on every Linux. */
const TICKS = 100;

/**
 * Name and CPU seconds of a process: its own, and those of its children that have ended; null if there is no such
 * process.
 */
export function processCpu(pid) {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The name is in parentheses and may contain any character.
  const end = text.lastIndexOf(')');
  const [user, system, childUser, childSystem] = text
    .slice(end + 2)
    .split(' ')
    .slice(11, 15)
    .map((ticks) => Number(ticks) / TICKS);
  const name = text.slice(text.indexOf('(') + 1, end);
  return { name, own: user + system, children: childUser + childSystem };
}

/** CPU seconds of this process and of its children that have ended. */
export function cpuSoFar() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + (processCpu('self')?.children ?? 0);
}

/** Beginning of the names of a test file's databases; PostgreSQL takes 63 characters. */
export const databasePrefix = (file) =>
  `test_${file
    .replace(/^test\/|\.(e2e-)?spec\.[a-z]+$/g, '')
    .replaceAll(/[^a-z0-9]/gi, '_')
    .toLowerCase()
    .slice(-44)}_`;

/** What this process spent on loading modules that it shares between test files. */
export const loading = {
  seconds: 0,
  begun: 0,
  running: 0,
  async of(load) {
    if (this.running++ === 0) this.begun = cpuSoFar();
    try {
      return await load();
    } finally {
      if (--this.running === 0) this.seconds += cpuSoFar() - this.begun;
    }
  },
};
