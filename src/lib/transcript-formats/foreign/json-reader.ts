import { firstAt, memberAt, membersOf } from './json-values.js';
import type { TranscriptDraft } from '../transcript-draft.js';
import type { SkippedPart } from '../transcript-file.error.js';
import { FILE_LIMITS } from '../transcript.js';
import { timeAt, type ShapedList, type TimeScale } from './json-choice.js';
import type { Group } from './json-lists.js';
import type { TimeMember } from './json-shape.js';
import { addWords, type Said } from './json-words.js';
import { countText } from '../../amounts.js';

export type Label = Pick<Said, 'speaker' | 'confidence' | 'channel'>;
/** What is said and when, before it is known by whom. */
export type TimedText = Pick<Said, 'start' | 'end' | 'text'>;
/** Null after a mistake. */
export type LabelOf = (item: unknown, said: TimedText, group: Group, place: string) => Label | null;

const TIME = `must be a time, at least 0 and below ${countText(FILE_LIMITS.time)} seconds`;

interface ReadingRules {
  readonly scale: TimeScale;
  readonly labelOf: LabelOf;
  /** Refuses items without text, time or end, instead of noting that they are not read. */
  readonly isStrict: boolean;
}

/** Reads the items of a list as segments, or as words that are joined to sentences. */
export class ListReader {
  private readonly skipped: SkippedPart[] = [];
  private read = 0;

  constructor(
    private readonly list: ShapedList,
    private readonly rules: ReadingRules,
    private readonly draft: TranscriptDraft,
  ) {}

  run(): void {
    const { groups, shape } = this.list;
    for (const group of groups) if (!(shape.areWords ? this.addWords(group) : this.addSegments(group))) break;
    const [first] = this.skipped;
    // Most of it is something else than was thought.
    if (first && this.skipped.length > this.read) this.draft.mistake(first.place, first.reason);
  }

  /** Notes an item that is not read. */
  skip(place: string, reason: string): null {
    if (this.rules.isStrict) return this.mistake(place, reason);
    this.draft.skip(place, reason);
    this.skipped.push({ place, reason });
    return null;
  }

  /** Returns false if there is no room for more. */
  private addSegments(group: Group): boolean {
    let before: Said | null = null;
    for (const [index, item] of group.items.entries()) {
      const place = placeIn(group, index);
      if (!this.draft.hasRoom(place())) return false;
      const said = this.saidAt(item, group, place, before);
      if (!said) continue;
      before = said;
      this.draft.add({ ...said, confidence: said.confidence ?? 1 }, place);
    }
    return true;
  }

  private addWords(group: Group): boolean {
    const words: Said[] = [];
    let before: Said | null = null;
    for (const [index, item] of group.items.entries()) {
      const said: Said | null = this.saidAt(item, group, placeIn(group, index), before);
      if (!said) continue;
      words.push(said);
      if (said.text.trim() !== '') before = said;
    }
    return addWords(words, group.owner?.members, this.draft);
  }

  private saidAt(item: unknown, group: Group, place: PlaceIn, before: Said | null): Said | null {
    if (!membersOf(item)) return this.mistake(place(), 'must be an object');
    const { text: texts } = this.list.shape;
    const text = firstAt(item, texts);
    if (typeof text !== 'string') {
      const at = place(texts[0] ?? 'text');
      return text === undefined ? this.skip(at, 'must be text') : this.mistake(at, 'must be text');
    }
    const times = this.timesOf(item, place, text, before);
    const label = times && this.rules.labelOf(item, { ...times, text }, group, place());
    if (!label) return null;
    this.read += 1;
    return { ...times, text, ...label, place: place(), item };
  }

  private timesOf(item: unknown, place: PlaceIn, text: string, before: Said | null) {
    const { shape } = this.list;
    const [from, to] = [this.secondsAt(item, shape.start), this.secondsAt(item, shape.end)];
    const lasts = this.secondsAt(item, shape.duration, 0);
    const wrong = (members: readonly TimeMember[], name: string, reason = TIME) => {
      const given = members.find(({ path }) => !isAbsent(memberAt(item, path))) ?? members[0];
      return this.mistake(place(given?.path ?? name), reason);
    };
    const isUntimed = from === undefined && to === undefined;
    if (isUntimed && shape.areWords) return { start: before?.start ?? 0, end: before?.end ?? 0 };
    if (isUntimed && !this.rules.isStrict) {
      if (text.trim() !== '') this.skip(place(shape.start[0]?.path ?? 'start_time'), TIME);
      return null;
    }
    // Protocol buffers leave out what is 0; some results say only when they end.
    const isOpen = from === undefined && (shape.areWords || shape.start.length === 0);
    const start = isOpen ? (before?.end ?? 0) : from;
    if (!isTime(start)) return wrong(shape.start, 'start');
    const lacksEnd = this.rules.isStrict
      ? ['end', 'duration'].every((name) => memberAt(item, name) === undefined)
      : shape.areWords && shape.end.length + shape.duration.length === 0;
    if (lacksEnd) return wrong(shape.end, 'end');
    const end = to ?? (isTime(lasts) ? Math.round((start + lasts) * 1e7) / 1e7 : null);
    if (end !== null && !isTime(end)) return wrong(shape.end, 'end');
    if (end !== null && end < start)
      return wrong(shape.end, 'end', `must not be before ${shown(shape.start[0]?.path ?? 'start')}`);
    return { start, end };
  }

  /** A time in seconds; undefined if there is none, NaN if what there is is none. */
  private secondsAt(item: unknown, members: readonly TimeMember[], from?: number): number | undefined {
    const time = timeAt(item, members);
    if (!time) return members.every(({ path }) => isAbsent(memberAt(item, path))) ? undefined : Number.NaN;
    const { unit, base } = this.rules.scale;
    const factor = time.as === 'number' ? (time.unit ?? unit) : 1;
    const seconds = factor === 1 ? time.value : time.value * factor;
    const isCounted = time.as === 'moment' || (time.as === 'number' && time.unit === null);
    const since = from ?? (isCounted ? base : 0);
    return factor === 1 && since === 0 ? seconds : Math.round((seconds - since) * 1e7) / 1e7;
  }

  private mistake(place: string, reason: string): null {
    this.draft.mistake(place, reason);
    return null;
  }
}

/** The place of an item, or of its member at a path. */
type PlaceIn = (path?: string) => string;

function placeIn({ place, lines }: Group, index: number): PlaceIn {
  const [item, separator] = lines ? [`line ${lines[index]}`, ', '] : [`${place}[${index}]`, '.'];
  return (path) => (path === undefined ? item : item + separator + shown(path));
}

const isAbsent = (value: unknown): boolean => (value ?? '') === '';

/** The path in a message. */
const shown = (path: string): string => path.replace(/\.(\d+)/g, '[$1]');

const isTime = (seconds: number | undefined): seconds is number =>
  seconds !== undefined && seconds >= 0 && seconds < FILE_LIMITS.time;
