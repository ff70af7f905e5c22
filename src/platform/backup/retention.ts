import { DAY_MS } from '../../lib/durations.js';
import { timeOf } from './backup-target.js';

/** What a backup belongs to, in UTC; weeks begin on Monday. */
const PERIODS = {
  d: (name: string) => name.slice(0, 10),
  // 1 January 1970 was a Thursday.
  w: (name: string) => String(Math.floor((timeOf(name).getTime() / DAY_MS + 3) / 7)),
  m: (name: string) => name.slice(0, 7),
} as const;

/** How many days, weeks and months keep their newest backup. */
export type Retention = ReadonlyMap<keyof typeof PERIODS, number>;

/** Reads `7d,4w,12m`; null if it is not that. */
export function readRetention(value: string): Retention | null {
  const parts = value.split(',').map((part) => /^\s*([1-9]\d{0,3})([dwm])\s*$/.exec(part));
  const retention = new Map(parts.map((part) => [part?.[2] as 'd' | 'w' | 'm', Number(part?.[1])]));
  return parts.includes(null) || retention.size < parts.length ? null : retention;
}

/** The backups to keep: of the last days, weeks and months that have any, the newest, and so the newest of all. */
export function keptOf(names: readonly string[], retention: Retention): ReadonlySet<string> {
  const kept = new Set<string>();
  for (const [unit, count] of retention) {
    const newest = new Map(names.toSorted().map((name) => [PERIODS[unit](name), name]));
    for (const name of [...newest.values()].slice(-count)) kept.add(name);
  }
  return kept;
}
