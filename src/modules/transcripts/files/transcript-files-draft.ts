import { LIMITS } from '../../../contract/limits.js';
import { codePointLength, isStorable } from '../../../platform/text.js';
import { FILE_LIMITS, SKIPPED_LISTED, type ReadableFormat, type ReadTranscript } from './transcript-files.js';
import { repaired, tidySpeaker, tidyText } from './transcript-files-text.js';
import { TranscriptFileError, type SkippedPart } from './transcript-file.error.js';
import type { NewSegment } from '../entities/transcript-chunk.entity.js';

/** Where a member of a segment stands, or the segment where the format has no members. */
export type PlaceOf = (member: 'text' | 'speaker') => string;

/**
 * `strict` throws the first mistake; `lenient` notes it, leaves the part out and mends characters; `collect` notes them all, and
 * `done` throws them.
 */
export type DraftMode = 'strict' | 'lenient' | 'collect';

/** A transcript that a reader fills: holds what all formats have in common. */
export class TranscriptDraft {
  private readonly segments: NewSegment[] = [];
  private readonly skipped: SkippedPart[] = [];
  private readonly speakers = new Set<string>();
  private skippedCount = 0;

  constructor(private readonly mode: DraftMode) {}

  mistake(place: string, reason: string): void {
    if (this.mode === 'strict') throw new TranscriptFileError([{ place, reason }]);
    this.skippedCount += 1;
    if (this.skipped.length < SKIPPED_LISTED) this.skipped.push({ place, reason });
  }

  /** Whether there is room for one more than `count` segments, empty ones too; a mistake where not: no more is read then. */
  hasRoom(count: number, place: string): boolean {
    if (count < FILE_LIMITS.segments) return true;
    this.mistake(place, `more than ${FILE_LIMITS.segments} segments; the file is read no further`);
    return false;
  }

  /** Takes a segment whose times and confidence are right. One without text is left out silently. */
  add(segment: NewSegment, placeOf: PlaceOf): void {
    const text = this.cleaned(segment.text, tidyText, LIMITS.segmentText.max, () => placeOf('text'));
    if (!text) return;
    const speaker = this.cleaned(segment.speaker, tidySpeaker, LIMITS.speaker.max, () => placeOf('speaker'));
    if (speaker === null) return;
    if (this.speakers.size === LIMITS.speakers && speaker !== '' && !this.speakers.has(speaker)) {
      return this.mistake(placeOf('speaker'), `there are more than ${LIMITS.speakers} different speakers`);
    }
    if (speaker !== '') this.speakers.add(speaker);
    const { start, end, confidence } = segment;
    this.segments.push({ start, end, text, speaker, confidence });
  }

  /** In the order of time; segments that start together stay as they were. Throws where nothing of a broken file could be read. */
  done(format: ReadableFormat, language: string | null): ReadTranscript {
    const { skipped, skippedCount } = this;
    const failed = this.mode === 'collect' || this.segments.length === 0;
    if (failed && skippedCount > 0) throw new TranscriptFileError(skipped);
    return {
      format,
      language,
      segments: this.segments.sort((one, other) => one.start - other.start),
      skipped,
      skippedCount,
    };
  }

  /** Null after a mistake. */
  private cleaned(
    given: string,
    tidy: (text: string) => string,
    max: number,
    place: () => string,
  ): string | null {
    // Megabytes are too long whatever they are of: they are not gone through.
    const text = given.length > FILE_LIMITS.markup ? given : tidy(given);
    // Two units at most make a code point.
    if (text.length > 2 * max || codePointLength(text) > max) {
      this.mistake(place(), `must have at most ${max} characters`);
      return null;
    }
    if (isStorable(text)) return text;
    if (this.mode === 'lenient') return repaired(text);
    this.mistake(place(), 'must not hold NUL or half of a surrogate pair');
    return null;
  }
}
