import { isDense } from './dense-scripts.js';
import { DATE_WORDS } from './date-words.js';
import { DAY_MS } from '../durations.js';

/** The lines of `DATE_WORDS`, except for the last one. */
const LINES = ['weekday', 'month', 'offset', 'place', 'number', 'unit'] as const;
const PLACES = ['this', 'next', 'end', 'close'];
/** Dates in numbers, and times of day, which change nothing. `03/04` is two dates. */
const NUMERIC = String.raw`(?<date>\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}\.\d{1,2}\.(?:\d{4})?|\d{1,2}/\d{1,2}(?:/\d{4})?)|(?<time>\d{1,2}:\d\d(?:\s?[ap]\.?m\b\.?)?|\d{1,2}\s?(?:[ap]\.?m\b\.?|uhr|h|uur|時|[点點]))|(?<nth>\d{1,2}(?:st|nd|rd|th|[号號]|日(?!間|以内|後)))|(?<digits>\d{4}年?|\d{1,2}(?:er|[ºª]|\.(?!\s*$))?(?![\d月]))`;
const FRIDAY = 4;
/** A date without a year that is further ahead was rather meant otherwise. In days. */
const FAR = 300;
const OLDEST_YEAR = 1970;
/** The months in a month, a quarter and a year. */
const MONTHS_IN = [0, 0, 1, 3, 12];

interface Token {
  readonly kind: string;
  readonly value: number;
  readonly text: string;
  readonly from: number;
  readonly to: number;
}
/** What was said about a date, by kind. */
type Said = Record<string, number>;

const lexicons = new Map<string, RegExp>();

function lexiconOf(language: string | null): RegExp | null {
  const code = language?.toLowerCase().split('-')[0] ?? 'en';
  const words = Object.hasOwn(DATE_WORDS, code) ? DATE_WORDS[code] : undefined;
  if (words === undefined) return null;
  const known = lexicons.get(code) ?? compiled(words, code !== 'ja' && code !== 'zh');
  lexicons.set(code, known);
  return known;
}

/** One expression whose named groups say what a word means: `weekday4`. The longer of two is further behind in its line. */
function compiled(words: string, isSpaced: boolean): RegExp {
  const lines = words.replaceAll('_', String.raw`\s+`).split(/\n */);
  const meanings = LINES.flatMap((kind, line) => {
    const alternatives = lines[line]!.split(' ').map((word, at) => `(?<${kind}${at}>${word})`);
    return alternatives.toReversed();
  });
  const any = [NUMERIC, ...meanings, lines[LINES.length]!].join('|');
  const ends = String.raw`(?:(?<=')|(?![\p{L}\p{N}]))`;
  return new RegExp(isSpaced ? String.raw`(?<![\p{L}\p{N}])(?:${any})${ends}` : any, 'giu');
}

const tokensOf = (text: string, words: RegExp): Token[] =>
  Array.from(text.replaceAll('’', "'").matchAll(words), ({ 0: word, index: from, groups = {} }) => {
    const [name = 'filler', said = word] =
      Object.entries(groups).find((group) => group[1] !== undefined) ?? [];
    const [, kind = name, at] = /^(\D+)(\d+)$/.exec(name) ?? [];
    const value = at === undefined ? Number.parseInt(said, 10) : Number(at);
    return {
      kind: kind === 'place' ? PLACES[value]! : kind,
      value,
      text: said,
      from,
      to: from + word.length,
    };
  });

/** What the tokens say; null if they contradict each other. */
function saidBy(tokens: readonly Token[]): Said | null {
  const said: Said = {};
  const add = (kind: string, value: number): boolean => (said[kind] ??= value) === value;
  const addYear = (value: number): boolean => value >= OLDEST_YEAR && add('year', value);
  const isClear = tokens.every(({ kind, value, text }) => {
    if (kind === 'filler' || kind === 'time') return true;
    if (kind === 'number') return add('number', value + 1);
    if (kind === 'digits') return value > 31 ? addYear(value) : add('number', value);
    if (kind === 'nth') return add('number', value) && add('nth', 1);
    if (kind !== 'date') return add(kind, value);
    const [day, month, year] = dateOf(text);
    if (day === undefined || month === undefined) return false;
    return add('number', day) && add('month', month - 1) && (year === undefined || addYear(year));
  });
  return isClear ? said : null;
}

/** Day, month and, if given, year of a date in numbers; nothing if day and month may be either. */
function dateOf(text: string): readonly number[] {
  const parts = text.match(/\d+/g)!.map(Number);
  if (parts[0]! > 31) return parts.toReversed();
  const [one, other, ...year] = parts as [number, number];
  if (!text.includes('/') || one > 12 || one === other) return parts;
  return other > 12 ? [other, one, ...year] : [];
}

const after = (day: Date, days: number): Date => new Date(day.getTime() + days * DAY_MS);
/** From 0, Monday. */
const weekdayOf = (day: Date): number => (day.getUTCDay() + 6) % 7;
const following = (day: Date, weekday: number): Date => after(day, ((weekday - weekdayOf(day) + 6) % 7) + 1);
const ofWeek = (day: Date, weeks: number, weekday: number): Date =>
  after(day, weeks * 7 + weekday - weekdayOf(day));
const unlessPast = (day: Date, today: Date): Date | null => (day < today ? null : day);
const lastOf = (year: number, month: number): Date => new Date(Date.UTC(year, month + 1, 0));

/** Null if the calendar has no such day. */
function calendarDay(year: number, month: number, number: number): Date | null {
  const day = new Date(Date.UTC(year, month, number));
  return day.getUTCMonth() === month ? day : null;
}

/** The first of two that is not past, unless it is far ahead. */
function nearest(today: Date, ...days: readonly (Date | null)[]): Date | null {
  const found = days.find((day) => day !== null && day >= today) ?? null;
  return found === null || found > after(today, FAR) ? null : found;
}

function later(today: Date, number: number, unit: number): Date {
  const months = MONTHS_IN[unit]! * number;
  if (months === 0) return after(today, number * (unit === 1 ? 7 : 1));
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth() + months, today.getUTCDate()];
  return new Date(Date.UTC(year, month, Math.min(day, lastOf(year, month).getUTCDate())));
}

/** The end of this day, week, month, quarter or year, or of the next one. A week of work ends on Friday. */
function endOf(today: Date, unit: number, next: number): Date | null {
  const months = MONTHS_IN[unit]!;
  if (unit === 0) return after(today, next);
  if (months === 0) return unlessPast(ofWeek(today, next, FRIDAY), today);
  const first = (Math.floor(today.getUTCMonth() / months) + next) * months;
  return lastOf(today.getUTCFullYear(), first + months - 1);
}

/** `said` has the kinds that the key of the reading names. */
type Reading = (
  said: Record<'weekday' | 'month' | 'year' | 'number' | 'unit' | 'offset', number>,
  today: Date,
  year: number,
) => Date | null;

/** The date by the kinds of words that were said; other combinations are none. */
const READINGS: Readonly<Record<string, Reading>> = {
  close: (_, today) => today,
  offset: ({ offset }, today) => after(today, offset),
  'number unit': ({ number, unit }, today) => later(today, number, unit),
  weekday: ({ weekday }, today) => following(today, weekday),
  // Some mean the first one to come, others that of next week.
  'next weekday': ({ weekday }, today) => {
    const [first, second] = [following(today, weekday), ofWeek(today, 1, weekday)];
    return first.getTime() === second.getTime() ? first : null;
  },
  'this unit weekday': ({ weekday }, today) => unlessPast(ofWeek(today, 0, weekday), today),
  'next unit weekday': ({ weekday }, today) => ofWeek(today, 1, weekday),
  'end unit': ({ unit }, today) => endOf(today, unit, 0),
  'end next unit': ({ unit }, today) => endOf(today, unit, 1),
  'end month': ({ month }, today, year) => nearest(today, lastOf(year, month), lastOf(year + 1, month)),
  'end month year': ({ month, year }) => lastOf(year, month),
  'month number': ({ month, number }, today, year) =>
    nearest(today, calendarDay(year, month, number), calendarDay(year + 1, month, number)),
  'month number year': ({ month, number, year }) => calendarDay(year, month, number),
  'nth number': ({ number }, today, year) => {
    const month = today.getUTCMonth();
    return nearest(today, calendarDay(year, month, number), calendarDay(year, month + 1, number));
  },
};
/** Periods: due, but on no day in particular. */
const PERIODS = new Set(['next unit', 'this unit']);

/** The kinds that decide: a weekday beside a date only has to agree, and this Friday is Friday. */
function kindsOf(said: Said): string {
  const isDate = 'month' in said || 'offset' in said || 'nth' in said;
  const besides = new Set(['close', ...(isDate ? ['weekday'] : []), ...('month' in said ? ['nth'] : [])]);
  const kinds = Object.keys(said).filter((kind) => !besides.has(kind));
  const key = kinds.sort().join(' ') || Object.keys(said).join(' ');
  return key === 'this weekday' || key === 'end this unit' ? key.replace('this ', '') : key;
}

/** What is said about when something is due, as far as the words for it are known: "by Friday". Null if nothing is. */
export function dueIn(text: string, language: string | null): string | null {
  const words = lexiconOf(language);
  let run: Token[] = [];
  for (const token of words ? [...tokensOf(text, words), null] : []) {
    const before = run.at(-1);
    if (token && (!before || /^[\s,]*$/.test(text.slice(before.to, token.from)))) {
      run.push(token);
      continue;
    }
    const due = dueOf(run);
    if (due) return text.slice(due.from, due.to);
    run = token ? [token] : [];
  }
  return null;
}

/** Where a run of words about dates says when something is due; "a" or "one" at its end may belong to what follows. */
function dueOf(run: readonly Token[]): { readonly from: number; readonly to: number } | null {
  const kept = run.findLastIndex(({ kind }) => kind !== 'number' && kind !== 'filler');
  const due = [run, run.slice(0, kept + 1)].find(isDue);
  if (!due) return null;
  // Japanese and Chinese have them behind.
  const isPart = (isBehind: boolean) => (token: Token) =>
    token.kind !== 'filler' || (isDense(token.text) === isBehind && !/^[のに的在]$/.test(token.text));
  return { from: due.find(isPart(false))!.from, to: due.findLast(isPart(true))!.to };
}

function isDue(run: readonly Token[]): boolean {
  const said = saidBy(run);
  const kinds = said ? kindsOf(said) : '';
  // "Two weeks" alone is how long something takes.
  return kinds === 'number unit' ? run[0]!.kind === 'filler' : kinds in READINGS || PERIODS.has(kinds);
}

/** The day, `YYYY-MM-DD`, that such words mean; null where they may mean several. Without a language, English. */
export function dueDateOf(due: string | null, language: string | null, meeting: Date): string | null {
  const words = lexiconOf(language);
  if (!due || !words) return null;
  const text = due.normalize('NFC').replaceAll('’', "'");
  if (/[\p{L}\p{N}]/u.test(text.replace(words, ''))) return null;
  const said = saidBy(tokensOf(text, words));
  const today = new Date(Math.floor(meeting.getTime() / DAY_MS) * DAY_MS);
  const day =
    said &&
    (READINGS[kindsOf(said)]?.(said as Parameters<Reading>[0], today, today.getUTCFullYear()) ?? null);
  if (!day || (said?.['weekday'] !== undefined && said['weekday'] !== weekdayOf(day))) return null;
  return day.toISOString().slice(0, 10);
}
