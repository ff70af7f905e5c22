import type { TranscriptDraft } from '../transcript-draft.js';
import { BEGINNING, forEachLine, placeOf, type TextPosition } from '../transcript-text.js';
import { FILE_LIMITS } from '../transcript.js';
import { saidIn, type Spoken } from './captions-conventions.js';
import type { VoicePart } from './captions-markup.js';
import {
  countsMilliseconds,
  hasArrow,
  isBrokenTiming,
  isTimingLine,
  readTiming,
  type Timing,
} from './captions-times.js';

/** A cue with its identifier, which may be empty, and its markup; `line` is the number of its timing line, from 1. */
export interface Cue extends Timing {
  readonly line: number;
  readonly name: string;
  readonly markup: string;
}

const MISSING = 'expected a timing line such as 00:00:01.000 --> 00:00:02.500';
const NOT_ALIKE = 'the text of this cue is not like that of the others';
/** A tag that may mark the word that is being said. */
const HIGHLIGHT = /<(?:[ubic]|font)[\s.>]/;

/**
 * Reads captions line by line, once. A cue is an optional line with its identifier, a timing line, and text up to a blank
 * line or the next timing line. Formats override what they have besides.
 */
export abstract class CaptionsReader {
  /** Of the next cue. */
  protected confidence = 1;
  private readonly spoken: Spoken[] = [];
  private readonly inMilliseconds: boolean;

  /** Between blocks; after the identifier of a cue; in its text; in a skipped block; in a block without timings. */
  private state: 'between' | 'name' | 'text' | 'skipped' | 'lost' = 'between';
  private isFull = false;
  /** The cue whose text is being read; `from` is where the text begins. */
  private open: (Omit<Cue, 'markup'> & { readonly from: number }) | null = null;
  /** An identifier, and its line. */
  private name = { text: '', line: 0 };
  /** Where the text of the cue ends if a timing line follows: the previous line may be the identifier of the next cue. */
  private numberAt: number | null = null;
  /** Where a line of spaces in the text of a cue begins, if the previous line is one. */
  private spacesAt: number | null = null;

  constructor(
    protected readonly text: string,
    protected readonly draft: TranscriptDraft,
  ) {
    this.inMilliseconds = countsMilliseconds(text);
  }

  /** The parts of a cue by voice; null if it is not what it is in this format. */
  protected abstract partsOf(markup: string): VoicePart[] | null;

  /** Decodes escapes in a text without tags. */
  protected abstract textOf(escaped: string): string;

  /** The speaker that the identifier of a cue names. */
  protected voiceOf?(name: string): string | null;

  /** Whether to skip the block that begins with this line. */
  protected skips?(line: string): boolean;

  /** Whether a line begins another file, which is joined to this one. */
  protected isHeader?(line: string): boolean;

  /** Reads the header of a file; returns where the cues begin. */
  protected readHeader?(header: TextPosition): TextPosition;

  /** The cue with its times in the whole of joined files; null if it repeats one, or why it has none. */
  protected placed?(cue: Cue): Cue | string | null;

  /** Reads the file into the draft, or several that are joined. */
  read(): void {
    for (let next: TextPosition | null = BEGINNING; next;)
      next = this.readCues(this.readHeader?.(next) ?? next);
    for (const [index, { line, voice, text, ...times }] of saidIn(this.spoken).entries()) {
      if (!this.draft.hasRoom(placeOf(line), index)) return;
      const segment = { ...times, text: this.textOf(text), speaker: this.textOf(voice ?? '') };
      this.draft.add(segment, () => placeOf(line));
    }
  }

  /** Returns where the next header begins; null at the end of the file. */
  private readCues(start: TextPosition): TextPosition | null {
    let header: TextPosition | null = null;
    forEachLine(this.text, start, (from, to, number, next) => {
      const line = this.text.slice(from, to);
      // As the first line of a text, it is what somebody said.
      if (this.state !== 'skipped' && this.open?.from !== from && this.isHeader?.(line)) {
        this.endBlock(this.spacesAt ?? from);
        this.numberAt = this.spacesAt = null;
        if (!this.isFull) header = { at: from, line: number };
        return false;
      }
      this.take(line, from, number, next);
      return !this.isFull;
    });
    if (!header && !this.isFull) this.endBlock(this.text.length);
    return header;
  }

  private take(line: string, from: number, number: number, next: number): void {
    const { state, numberAt, spacesAt } = this;
    this.numberAt = this.spacesAt = null;
    // A line of spaces may belong to the text, as in captions of YouTube, or separate cues, as other tools write it.
    if (line.trim() === '') {
      if (state === 'text' && line !== '') this.spacesAt = spacesAt ?? from;
      else this.endBlock(from);
    } else if (state === 'text') {
      const isTiming = isTimingLine(line);
      if (spacesAt !== null && this.skips?.(line)) {
        this.endBlock(spacesAt);
        this.skip(line);
      } else if (isTiming || isBrokenTiming(line, numberAt !== null)) {
        this.endCue(numberAt ?? spacesAt ?? from);
        if (isTiming) this.begin(line, '', number, next);
        else this.lose(number);
      } else if (spacesAt !== null) this.numberAt = spacesAt;
      else if (/^\s*\d{1,9}\s*$/.test(line)) this.numberAt = from;
    } else if (state === 'skipped') return;
    else if (state === 'between' && this.skips?.(line)) this.skip(line);
    else if (hasArrow(line)) this.begin(line, state === 'name' ? this.name.text : '', number, next);
    else if (state === 'between') {
      this.state = 'name';
      this.name = { text: line, line: number };
    } else if (state === 'name') this.lose(this.name.line);
  }

  private begin(timingLine: string, name: string, line: number, from: number): void {
    const timing = readTiming(timingLine, this.inMilliseconds);
    this.state = 'text';
    if (typeof timing === 'string') this.draft.mistake(placeOf(line), timing);
    else this.open = { ...timing, line, name, from };
  }

  private lose(line: number): void {
    this.state = 'lost';
    this.draft.mistake(placeOf(line), MISSING);
  }

  /** Called with the first line of each block that is skipped. */
  protected skip(_line: string): void {
    this.state = 'skipped';
  }

  private endBlock(to: number): void {
    if (this.state === 'name') this.draft.mistake(placeOf(this.name.line), MISSING);
    this.endCue(to);
    this.state = 'between';
  }

  private endCue(to: number): void {
    if (!this.open) return;
    const { from, ...cue } = this.open;
    this.open = null;
    if (to - from > FILE_LIMITS.markup) {
      this.draft.mistake(placeOf(cue.line), 'the text of this cue is too long');
    } else this.isFull = !this.add({ ...cue, markup: this.text.slice(from, to) });
  }

  /** Returns false if there is no room for more. */
  private add(cue: Cue): boolean {
    const { draft, confidence, spoken } = this;
    const place = placeOf(cue.line);
    if (!draft.hasRoom(place)) return false;
    this.confidence = 1;
    const at = this.placed ? this.placed(cue) : cue;
    const parts = this.partsOf(cue.markup);
    if (typeof at === 'string' || !parts) draft.mistake(place, typeof at === 'string' ? at : NOT_ALIKE);
    else if (at) {
      const { line, start, end, name } = at;
      const isMarked = HIGHLIGHT.test(cue.markup);
      for (const part of parts) {
        const said = part.text.trim();
        if (said === '') continue;
        if (!draft.hasRoom(place, spoken.length)) return false;
        const voice = part.voice ?? this.voiceOf?.(name) ?? null;
        spoken.push({ line, start, end, voice, text: said, confidence, isMarked });
      }
    }
    return true;
  }
}
