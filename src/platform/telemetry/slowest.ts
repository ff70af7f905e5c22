/** How long a kind of work has taken, in milliseconds. */
export interface Duration {
  readonly kind: 'operation' | 'statement';
  readonly name: string;
  count: number;
  total: number;
  longest: number;
}

const WINDOW_MS = 30 * 60_000;
/** Of each kind and window. */
const REPORTED = 20;

let windows: readonly [current: Map<string, Duration>, earlier: Map<string, Duration>] = [
  new Map(),
  new Map(),
];
let begun = performance.now();

/** Statements that are composed are numbered by each process as they come. */
export const withoutNumber = (name: string): string => name.replace(/-\d+$/, '');

/** Notes how long some work took. `name` is one of few, and never chosen by a caller. */
export function noteDuration(kind: Duration['kind'], name: string, ms: number): void {
  const known = windows[0].get(name);
  if (!known) return void windows[0].set(name, { kind, name, count: 1, total: ms, longest: ms });
  known.count += 1;
  known.total += ms;
  if (ms > known.longest) known.longest = ms;
}

/** Returns what took this process longest in the last hour, or at least half of it; perhaps twice, to be summed. */
export function slowestWork(): Duration[] {
  if (performance.now() - begun >= WINDOW_MS) {
    windows = [new Map(), windows[0]];
    begun = performance.now();
  }
  return windows.flatMap((window) => {
    const sorted = [...window.values()].toSorted((a, b) => b.total / b.count - a.total / a.count);
    const of = (wanted: Duration['kind']): Duration[] =>
      sorted.filter(({ kind }) => kind === wanted).map((one) => ({ ...one, name: withoutNumber(one.name) }));
    return [...of('operation').slice(0, REPORTED), ...of('statement').slice(0, REPORTED)];
  });
}
