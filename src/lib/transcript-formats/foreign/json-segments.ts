import { AUTO, readLanguage } from '../../language/language-codes.js';
import { memberAt, membersOf } from '../json-values.js';
import { clockSeconds } from '../captions/captions-times.js';
import type { TranscriptDraft } from '../transcript-draft.js';
import { FILE_LIMITS } from '../transcript.js';

/** Reads a time as seconds; NaN if it is none. */
export type TimeUnit = (value: unknown) => number;

export const SECONDS: TimeUnit = (value) => (typeof value === 'number' ? value : Number.NaN);
export const MILLISECONDS: TimeUnit = (value) => (typeof value === 'number' ? value / 1000 : Number.NaN);
/** AWS writes numbers as strings. */
export const SECONDS_IN_STRING: TimeUnit = (value) =>
  typeof value === 'string' && /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : SECONDS(value);

/** Also numbers in strings, and `00:03`. */
export const CLOCK: TimeUnit = (value) =>
  typeof value === 'string' && /^\d{1,3}(?::\d{2}){1,2}(?:\.\d{1,3})?$/.test(value)
    ? clockSeconds(value)
    : SECONDS_IN_STRING(value);

/** The paths of the members of a segment or word, as in `memberAt`. */
export interface SegmentShape {
  readonly start: string;
  /** Undefined if the file does not say when segments end. */
  readonly end: string | undefined;
  readonly text: string;
  readonly unit: TimeUnit;
}

export interface TimedText {
  readonly start: number;
  /** Null if the file does not say when it ends. */
  readonly end: number | null;
  readonly text: string;
}

/** Who said a segment; the confidence is undefined if it is unknown. */
export interface SegmentLabel {
  readonly speaker: string;
  readonly confidence: number | undefined;
}

/** Adds the items of a list as segments, except those for which `labelOf` returns null. */
export function readSegments<Item>(
  items: readonly Item[],
  path: string,
  shape: SegmentShape,
  draft: TranscriptDraft,
  labelOf: (item: Item, place: string, draft: TranscriptDraft, said: TimedText) => SegmentLabel | null,
): void {
  for (const [index, item] of items.entries()) {
    const place = `${path}[${index}]`;
    if (!draft.hasRoom(place)) return;
    const said = timedTextOf(item, place, shape, draft);
    const label = said && labelOf(item, place, draft, said);
    if (!label) continue;
    const { speaker, confidence = 1 } = label;
    const { start, end, text } = said!;
    draft.add({ start, end, text, speaker, confidence }, (member) => `${place}.${member}`);
  }
}

/** The times and text of a value; null after noting a mistake. Without any time, it is said with what is before. */
export function timedTextOf(
  value: unknown,
  place: string,
  shape: SegmentShape,
  draft: TranscriptDraft,
  before?: TimedText,
): TimedText | null {
  const wrong = (path: string, reason: string): null => {
    draft.mistake(`${place}${path && `.${shown(path)}`}`, reason);
    return null;
  };
  if (!membersOf(value)) return wrong('', 'must be an object');
  const from = memberAt(value, shape.start);
  const to = shape.end === undefined ? null : memberAt(value, shape.end);
  const text = memberAt(value, shape.text);
  if (typeof text !== 'string') return wrong(shape.text, 'must be text');
  if (before && (from ?? to ?? null) === null) return { ...before, text };
  const start = shape.unit(from);
  const end = to === null ? null : shape.unit(to);
  if (!isTime(start)) return wrong(shape.start, TIME);
  if (end !== null && !isTime(end)) return wrong(shape.end!, TIME);
  if (end !== null && end < start) return wrong(shape.end!, `must not be before ${shown(shape.start)}`);
  return { start, end, text };
}

/** The path in a message. */
const shown = (path: string): string => path.split('|')[0]!.replace(/\.(\d+)/g, '[$1]');

const TIME = `must be a time, at least 0 and below ${FILE_LIMITS.time} seconds`;

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

/** Labels begin with the channel if there are several. */
export function channelLabel(label: string, channel: unknown, several: boolean): string {
  if (!several) return label;
  return label === '' ? `Channel ${String(channel)}` : `Channel ${String(channel)}, ${label}`;
}

/** The code of a language given as `en`, `en_us` or `eng`, or by its name; null if it is none of them. */
export function foreignLanguage(value: unknown): string | null {
  const language = typeof value === 'string' ? readLanguage(value) : null;
  return language === AUTO ? null : language;
}

/** Whisper and ElevenLabs give the mean log probability of tokens. */
export function likelihoodOf(logarithm: unknown): number | undefined {
  return typeof logarithm === 'number' ? Math.min(1, Math.exp(logarithm)) : undefined;
}
