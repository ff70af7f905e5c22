import { NEWEST } from '../../../platform/clock/timestamps.js';

/** The time from `since` up to but excluding `until`; dates as `YYYY-MM-DD` in UTC, or `-infinity` and `infinity`. */
export interface CountedSpan {
  readonly unit: 'month' | 'day';
  readonly since: string;
  readonly until: string;
}

/** A time range split into spans that have counts and the rest at its ends. */
export interface Spans {
  readonly counted: readonly CountedSpan[];
  /** Partial days, from `since` up to but excluding `until`. */
  readonly rest: readonly { readonly since: Date; readonly until: Date }[];
}

type Unit = CountedSpan['unit'];
type Edge = number;

/** Nothing is recorded later. */
const END_OF_YEARS = NEWEST + 1;

/** Splits `from` to `to`, both inclusive and unbounded if undefined, into whole months, whole days and partial days. */
export function splitIntoSpans(from: Date | undefined, to: Date | undefined): Spans {
  const since = from?.getTime() ?? -Infinity;
  const until = to ? Math.min(to.getTime() + 1, END_OF_YEARS) : END_OF_YEARS;
  if (since >= until) return { counted: [], rest: [] };
  const days = inner('day', since, until);
  if (!days) return { counted: [], rest: rests([[since, until]]) };
  return {
    counted: spansOf(days),
    rest: rests([
      [since, days[0]],
      [days[1], until],
    ]),
  };
}

/** Splits whole days into months and the days around them. */
function spansOf([since, until]: [Edge, Edge]): CountedSpan[] {
  const months = inner('month', since, until);
  const parts: [Unit, Edge, Edge][] = months
    ? [
        ['day', since, months[0]],
        ['month', ...months],
        ['day', months[1], until],
      ]
    : [['day', since, until]];
  return parts
    .filter(([, start, end]) => start < end)
    .map(([unit, start, end]) => ({ unit, since: dateOf(start), until: dateOf(end) }));
}

/** The largest part of the range that consists of whole units; null when there is none. */
function inner(unit: Unit, since: Edge, until: Edge): [Edge, Edge] | null {
  const first = startOf(unit, since);
  const start = first < since ? next(unit, first) : first;
  const end = startOf(unit, until);
  return start < end ? [start, end] : null;
}

function startOf(unit: Unit, moment: Edge): Edge {
  if (!Number.isFinite(moment)) return moment;
  const date = new Date(moment);
  if (unit === 'month') date.setUTCDate(1);
  return date.setUTCHours(0, 0, 0, 0);
}

function next(unit: Unit, start: Edge): Edge {
  const date = new Date(start);
  return unit === 'month' ? date.setUTCMonth(date.getUTCMonth() + 1) : date.setUTCDate(date.getUTCDate() + 1);
}

function dateOf(edge: Edge): string {
  if (edge === -Infinity) return '-infinity';
  return edge === END_OF_YEARS ? 'infinity' : new Date(edge).toISOString().slice(0, 10);
}

function rests(parts: [Edge, Edge][]): Spans['rest'] {
  return parts
    .filter(([since, until]) => since < until)
    .map(([since, until]) => ({ since: new Date(since), until: new Date(until) }));
}
