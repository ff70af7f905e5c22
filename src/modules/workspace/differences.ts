import { quoteForMessage } from '../../platform/text.js';

/** A field about which the file says something else than the database. Both values are fit for a terminal. */
export interface FieldDifference<Change> {
  readonly field: string;
  readonly database: string;
  readonly file: string;
  /** What an update writes; null: it leaves the field as it is, and `note` says why. */
  readonly change: Change | null;
  readonly note: string | null;
}

type Value = string | number | boolean | Date | null | readonly string[];

interface Options<Change> {
  readonly change: Change | null;
  readonly note?: string | null;
  readonly show?: (value: Value) => string;
}

const MOST_SHOWN = 5;

/** Compares one field; what the file leaves out never differs. */
export function compare<Change>(
  field: string,
  database: Value,
  file: Value | undefined,
  { change, note = null, show = quoted }: Options<Change>,
): FieldDifference<Change>[] {
  if (file === undefined || keyOf(database) === keyOf(file)) return [];
  return [{ field, database: show(database), file: show(file), change, note }];
}

/** All that an update writes to an entry. */
export function changesOf<Change extends object>(
  differences: readonly FieldDifference<Change>[],
): Partial<Change> | null {
  const changes = differences.flatMap(({ change }) => (change === null ? [] : [change]));
  return changes.length > 0 ? (Object.assign({}, ...changes) as Partial<Change>) : null;
}

function keyOf(value: Value): string {
  if (value instanceof Date) return value.toISOString();
  // The order of a list means nothing.
  return JSON.stringify(Array.isArray(value) ? [...(value as string[])].sort() : value);
}

/** Names and titles, in quotes: the beginning, without control characters. */
export function quoted(value: Value): string {
  if (value === null) return 'none';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object') {
    const rest = value.length - MOST_SHOWN;
    const shown = value.slice(0, MOST_SHOWN).map(quoteForMessage).join(', ');
    return `${shown || 'nobody'}${rest > 0 ? ` and ${rest} more` : ''}`;
  }
  return typeof value === 'string' ? quoteForMessage(value) : String(value);
}

/** Values of a fixed set, as they are. */
export const word = (value: Value): string => (typeof value === 'string' ? value : quoted(value));
