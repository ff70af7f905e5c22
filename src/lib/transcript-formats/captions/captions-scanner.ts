import { forEachLine, type TextPosition } from './captions-lines.js';
import { hasArrow, isBrokenTiming, isTimingLine, readTiming, type Timing } from './captions-times.js';
import { FILE_LIMITS } from '../transcript.js';
import type { VoicePart } from './captions-markup.js';

/** A cue with its identifier, which may be empty, and its markup; `line` is the number of its timing line, from 1. */
export interface RawCue extends Timing {
  readonly line: number;
  readonly name: string;
  readonly markup: string;
}

/** A part of a cue with one voice; entities of voice and text are not decoded yet. */
export interface Spoken extends Omit<RawCue, 'name' | 'markup'>, VoicePart {
  readonly confidence: number;
  /** Whether a word of the cue is highlighted. */
  readonly isMarked: boolean;
}

export interface CaptionVisitor {
  /** Returns false to end the scan. */
  readonly cue: (cue: RawCue) => boolean;
  readonly mistake: (line: number, reason: string) => void;
  /** See `countsMilliseconds`. */
  readonly inMilliseconds: boolean;
  /** Whether a line is the header of another file, at which the scan ends. */
  readonly isHeader: (line: string) => boolean;
  /** Whether to skip the block that begins with this line. */
  readonly skips: (line: string) => boolean;
  /** The first line of each skipped block. */
  readonly note?: (line: string) => void;
}

interface Scan {
  /** Between blocks; after the identifier of a cue; in its text; in a skipped block; in a block without timings. */
  state: 'between' | 'name' | 'text' | 'skipped' | 'lost';
  ended: boolean;
  /** The cue whose text is being scanned; `from` is where the text begins. */
  open: (Timing & { readonly line: number; readonly name: string; readonly from: number }) | null;
  /** The identifier, and its line. */
  name: string;
  nameLine: number;
  /**
   * Where the text of the cue ends, if a timing line follows: the previous line may be the identifier of the next cue.
   */
  numberAt: number | null;
  /** Where a line of spaces in the text of a cue begins, if the previous line is one. */
  spacesAt: number | null;
}

const MISSING = 'expected a timing line such as 00:00:01.000 --> 00:00:02.500';

/**
 * Scans a caption file line by line, once. A cue is an optional line with its identifier, a timing line, and text up to
 * a blank line or the next timing line. Returns where a header begins; null at the end of the file.
 */
export function scanCaptions(
  text: string,
  start: TextPosition,
  { cue, mistake, inMilliseconds, isHeader, skips, note }: CaptionVisitor,
): TextPosition | null {
  let header: TextPosition | null = null;
  const now: Scan = {
    state: 'between',
    open: null,
    name: '',
    nameLine: 0,
    numberAt: null,
    spacesAt: null,
    ended: false,
  };

  const finish = (to: number) => {
    if (!now.open) return;
    const { line, name, from, start: begins, end } = now.open;
    now.open = null;
    if (to - from > FILE_LIMITS.markup) mistake(line, 'the text of this cue is too long');
    else now.ended = !cue({ line, name, start: begins, end, markup: text.slice(from, to) });
  };
  const begin = (line: string, number: number, next: number) => {
    const timing = readTiming(line, inMilliseconds);
    const name = now.state === 'name' ? now.name : '';
    now.state = 'text';
    if (typeof timing === 'string') mistake(number, timing);
    else now.open = { start: timing.start, end: timing.end, line: number, name, from: next };
  };
  const skip = (line: string) => {
    now.state = 'skipped';
    note?.(line);
  };
  const endBlock = (at: number) => {
    if (now.state === 'name') mistake(now.nameLine, MISSING);
    finish(at);
    now.state = 'between';
  };

  const take = (from: number, to: number, number: number, next: number) => {
    const line = text.slice(from, to);
    const { state, numberAt, spacesAt } = now;
    now.numberAt = null;
    now.spacesAt = null;
    // As the first line of a text, it is what somebody said.
    if (state !== 'skipped' && now.open?.from !== from && isHeader(line)) {
      endBlock(spacesAt ?? from);
      if (!now.ended) header = { at: from, line: number };
      now.ended = true;
      return;
    }
    // A line of spaces may belong to the text, as in captions of YouTube, or separate cues, as other tools write it.
    if (state === 'text' && from < to && line.trim() === '') now.spacesAt = spacesAt ?? from;
    else if (line.trim() === '') endBlock(from);
    else if (state === 'skipped') return;
    else if (state === 'text' && spacesAt !== null && skips(line)) {
      endBlock(spacesAt);
      skip(line);
    } else if (state === 'text') {
      if (isTimingLine(line)) {
        finish(numberAt ?? spacesAt ?? from);
        begin(line, number, next);
      } else if (isBrokenTiming(line, numberAt !== null)) {
        finish(numberAt ?? spacesAt ?? from);
        mistake(number, MISSING);
        now.state = 'lost';
      } else if (spacesAt !== null) now.numberAt = spacesAt;
      else if (/^\s*\d{1,9}\s*$/.test(line)) now.numberAt = from;
    } else if (state === 'between' && skips(line)) skip(line);
    else if (hasArrow(line)) begin(line, number, next);
    else if (state === 'between') {
      now.state = 'name';
      now.name = line;
      now.nameLine = number;
    } else if (state === 'name') {
      mistake(now.nameLine, MISSING);
      now.state = 'lost';
    }
  };

  forEachLine(text, start, (from, to, line, next) => {
    take(from, to, line, next);
    return !now.ended;
  });
  if (!now.ended) endBlock(text.length);
  return header;
}
