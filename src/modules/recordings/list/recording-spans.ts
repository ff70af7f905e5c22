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

/** Nothing is recorded later. */
const END_OF_YEARS = NEWEST + 1;

/** Splits `from` to `to`, both inclusive and unbounded if undefined, into whole months, whole days and partial days. */
export function splitIntoSpans(from: Date | undefined, to: Date | undefined): Spans {
  const since = from?.getTime() ?? -Infinity;
  const until = Math.max(since, to ? Math.min(to.getTime() + 1, END_OF_YEARS) : END_OF_YEARS);
  const [firstDay, endOfDays] = whole('day', since, until);
  const [firstMonth, endOfMonths] = whole('month', firstDay, endOfDays);
  const counted = [
    { unit: 'day', since: firstDay, until: firstMonth },
    { unit: 'month', since: firstMonth, until: endOfMonths },
    { unit: 'day', since: endOfMonths, until: endOfDays },
  ] as const;
  const rest = [
    { since, until: firstDay },
    { since: endOfDays, until },
  ];
  return {
    counted: counted
      .filter(isSome)
      .map((span) => ({ unit: span.unit, since: dateOf(span.since), until: dateOf(span.until) })),
    rest: rest.filter(isSome).map((part) => ({ since: new Date(part.since), until: new Date(part.until) })),
  };
}

/** The whole units of a time range; none, at its end, if there are none. */
function whole(unit: CountedSpan['unit'], since: number, until: number): [since: number, until: number] {
  const first = startOf(unit, since);
  const start = first < since ? startOf(unit, first, 1) : first;
  const end = startOf(unit, until);
  return start < end ? [start, end] : [until, until];
}

/** The start of the unit that contains the moment, or of one that many later. */
function startOf(unit: CountedSpan['unit'], moment: number, later = 0): number {
  if (!Number.isFinite(moment)) return moment;
  const date = new Date(moment);
  if (unit === 'month') date.setUTCMonth(date.getUTCMonth() + later, 1);
  else date.setUTCDate(date.getUTCDate() + later);
  return date.setUTCHours(0, 0, 0, 0);
}

const isSome = ({ since, until }: { readonly since: number; readonly until: number }): boolean =>
  since < until;

function dateOf(edge: number): string {
  if (edge === -Infinity) return '-infinity';
  return edge === END_OF_YEARS ? 'infinity' : new Date(edge).toISOString().slice(0, 10);
}
