import { languageOf } from '../../../../platform/language/language-codes.js';
import { membersOf } from '../json-values.js';
import type { TranscriptDraft } from '../transcript-files-draft.js';
import { FILE_LIMITS } from '../transcript-files.js';

/** Reads a time as seconds; NaN if it is none. */
export type TimeUnit = (value: unknown) => number;

export const SECONDS: TimeUnit = (value) => (typeof value === 'number' ? value : Number.NaN);
export const MILLISECONDS: TimeUnit = (value) => (typeof value === 'number' ? value / 1000 : Number.NaN);
/** AWS writes numbers as strings. */
export const SECONDS_IN_STRING: TimeUnit = (value) =>
  typeof value === 'string' && /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : SECONDS(value);

/** How a format names the members of a segment or word. */
export interface SegmentShape {
  readonly start: string;
  readonly end: string;
  readonly text: string;
  readonly unit: TimeUnit;
}

export interface TimedText {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The times and text of a value; null after noting what is wrong with it. */
export function timedTextOf(
  value: unknown,
  place: string,
  shape: SegmentShape,
  draft: TranscriptDraft,
): TimedText | null {
  const members = membersOf(value);
  const wrong = (member: string, reason: string): null => {
    draft.mistake(`${place}${member && `.${member}`}`, reason);
    return null;
  };
  if (!members) return wrong('', 'must be an object');
  const [start, end] = [shape.unit(members[shape.start]), shape.unit(members[shape.end])];
  const text = members[shape.text];
  if (!isTime(start)) return wrong(shape.start, 'must be a time, at least 0 and below 1000000 seconds');
  if (!isTime(end)) return wrong(shape.end, 'must be a time, at least 0 and below 1000000 seconds');
  if (end < start) return wrong(shape.end, `must not be before ${shape.start}`);
  if (typeof text !== 'string') return wrong(shape.text, 'must be text');
  return { start, end, text };
}

function isTime(seconds: number): boolean {
  return seconds >= 0 && seconds < FILE_LIMITS.time;
}

/** Confidence as a number from 0 to 1; undefined if the value is none. */
export function shareOf(value: unknown): number | undefined {
  const share = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof share === 'number' && share >= 0 && share <= 1 ? share : undefined;
}

/** The mean of the confidences that are known, to four digits; undefined if none is. */
export function meanShare(values: Iterable<unknown>): number | undefined {
  let [sum, count] = [0, 0];
  for (const value of values) {
    const share = shareOf(value);
    if (share === undefined) continue;
    sum += share;
    count += 1;
  }
  return count === 0 ? undefined : Math.round((sum / count) * 10_000) / 10_000;
}

/** `Speaker 0` for a number, `Speaker A` for a letter; names stay as written. */
export function speakerLabel(value: unknown): string {
  if (typeof value === 'number') return `Speaker ${value}`;
  if (typeof value !== 'string' || value === '?') return '';
  return /^(?:[A-Za-z]|\d{1,4})$/.test(value) ? `Speaker ${value}` : value;
}

/** A language code with hyphens or underscores, or a name; null if it is neither. */
export function foreignLanguage(value: unknown): string | null {
  return typeof value === 'string' ? languageOf(value.replaceAll('_', '-')) : null;
}
