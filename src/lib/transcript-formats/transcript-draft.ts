import { codePointLength, isStorable } from '../text.js';
import { FILE_LIMITS, SKIPPED_LISTED, type ReadTranscript, type Segment } from './transcript.js';
import { normalizeText, oneLine, placeOf, secondsToSay } from './transcript-text.js';
import { TranscriptFileError, type SkippedPart } from './transcript-file.error.js';
import { countText } from '../amounts.js';

/** The position of a member of a segment or, in formats without members, of the segment. */
type PlaceOf = (member: 'text' | 'speaker') => string;

/** A segment in a file; `end` is null if the file does not say when it ends. */
type FoundSegment = Omit<Segment, 'end'> & { readonly end: number | null };

/** What one person says without being interrupted, from a line on. */
export type Turn = Omit<FoundSegment, 'confidence'> & { readonly line: number };

/** A format of transcripts that are text, and how well a text fits it as a whole. */
export interface TextFormat {
  /** The name that is `ReadTranscript.format`. */
  readonly name: string;
  /** The name that users see. */
  readonly title: string;
  /** Null if nothing in the text is like this format. */
  readonly match: (text: string) => TextMatch | null;
}

export interface TextMatch {
  /** About how many lines the format explains. */
  readonly points: number;
  /** Fills the draft. Returns the BCP 47 code of the language; null if the file has none. */
  readonly read: (draft: TranscriptDraft) => string | null;
}

/** A transcript that a reader fills, with the rules that all formats share. */
export class TranscriptDraft {
  private readonly segments: FoundSegment[] = [];
  private readonly skipped: SkippedPart[] = [];
  private readonly speakers = new Set<string>();
  private skippedCount = 0;
  private isFull = false;
  /** Cues or segments that the file contains, including empty ones. */
  found = 0;

  /** The first error is thrown or, if lenient, noted: the part is skipped, and characters are repaired. */
  constructor(private readonly lenient: boolean) {}

  mistake(place: string, reason: string): void {
    if (!this.lenient) throw new TranscriptFileError(place, reason);
    this.skip(place, reason);
  }

  /** Notes a part that is not read, and does not refuse the file for it: the reply says so. */
  skip(place: string, reason: string): void {
    this.skippedCount += 1;
    if (this.skipped.length < SKIPPED_LISTED) this.skipped.push({ place, reason });
  }

  /** Whether there is room for another segment after `count`; notes an error if not, and reading stops. */
  hasRoom(place: string, count = this.found): boolean {
    this.found = Math.max(this.found, count + 1);
    if (count < FILE_LIMITS.segments) return true;
    const reason = `more than ${countText(FILE_LIMITS.segments)} segments; the file is read no further`;
    if (!this.isFull) this.mistake(place, reason);
    this.isFull = true;
    return false;
  }

  /** Adds a segment with valid times and confidence. Segments without text only end those that are open. */
  add(segment: FoundSegment, placeIn: PlaceOf): void {
    const text = this.cleaned(segment.text, normalizeText, FILE_LIMITS.text, () => placeIn('text'));
    if (text === null) return;
    const speaker = this.cleaned(segment.speaker, oneLine, FILE_LIMITS.speaker, () => placeIn('speaker'));
    if (speaker === null) return;
    if (speaker !== '' && !this.speakers.has(speaker)) {
      const reason = `there are more than ${countText(FILE_LIMITS.speakers)} different speakers`;
      if (this.speakers.size === FILE_LIMITS.speakers) return this.mistake(placeIn('speaker'), reason);
      this.speakers.add(speaker);
    }
    const { start, end, confidence } = segment;
    this.segments.push({ start, end, text, speaker, confidence });
  }

  addTurn({ line, ...turn }: Turn): void {
    const { start, end } = turn;
    const place = placeOf(line);
    if (Math.max(start, end ?? start) >= FILE_LIMITS.time) {
      this.mistake(place, `times must be below ${countText(FILE_LIMITS.time)} seconds`);
    } else if (end !== null && end < start) this.mistake(place, 'ends before it starts');
    else this.add({ ...turn, confidence: 1 }, () => place);
  }

  /** Returns segments by time, in their order if they start together. Throws if a broken file has none. */
  done(format: string, language: string | null): ReadTranscript {
    const { skipped, skippedCount } = this;
    const segments = closed(this.segments.sort((one, other) => one.start - other.start));
    const [first] = skipped;
    if (first && segments.length === 0) throw new TranscriptFileError(first.place, first.reason);
    return { format, language, segments, skipped, skippedCount };
  }

  /** Null after an error. */
  private cleaned(
    given: string,
    tidy: (text: string) => string,
    max: number,
    place: () => string,
  ): string | null {
    // Text of megabytes is too long in any case, so it is not scanned.
    const text = given.length > FILE_LIMITS.markup ? given : tidy(given);
    // A code point has at most two UTF-16 units.
    if (text.length > 2 * max || codePointLength(text) > max) {
      this.mistake(place(), `must have at most ${countText(max)} characters`);
      return null;
    }
    if (isStorable(text)) return text;
    if (this.lenient) return text.replaceAll('\0', '\uFFFD').toWellFormed();
    this.mistake(place(), 'must not contain NUL characters or lone surrogates');
    return null;
  }
}

/** Those with text; an open one ends where the next later one begins, the last after the time it takes to say it. */
function closed(sorted: readonly FoundSegment[]): Segment[] {
  let [next, later] = [Infinity, Infinity];
  return sorted
    .toReversed()
    .map((segment) => {
      const { start, text } = segment;
      if (next > start) later = next;
      next = start;
      const said = Math.min(start + secondsToSay(text), Math.max(start, LATEST));
      return { ...segment, end: segment.end ?? (later < Infinity ? later : said) };
    })
    .filter(({ text }) => text !== '')
    .toReversed();
}

/** The latest time that is allowed, in seconds. */
const LATEST = FILE_LIMITS.time - 0.001;
