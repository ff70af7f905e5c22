import { readFileSync } from 'node:fs';
import { descendantsOf } from '../cpu-time.js';

/** Megabytes of a process and all below it, of which each counts its share of what several use (PSS). */
export function memoryOfTree(pid) {
  const kilobytes = [pid, ...descendantsOf(pid)].map((each) => {
    const text = readFileSync(`/proc/${each}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(text)[1]);
  });
  return Math.round((kilobytes.reduce((sum, each) => sum + each, 0) * 1_024) / 1e6);
}
