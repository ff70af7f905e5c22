import { spokenInBroadcast } from './captions-broadcast.js';
import type { VoicePart } from './captions-markup.js';
import type { TextPosition } from './captions-lines.js';
import { withoutHighlights } from './captions-highlights.js';
import { isRolling, unrolled } from './captions-rolling.js';
import { scanCaptions, type RawCue, type Spoken } from './captions-scanner.js';
import { countsMilliseconds } from './captions-times.js';
import { labelReader } from '../speaker-labels.js';
import type { TranscriptDraft } from '../transcript-draft.js';

export interface CaptionFormat {
  /** The parts of a cue by voice; null if it is not what it is in this format. */
  readonly partsOf: (markup: string) => VoicePart[] | null;
  /** Decodes escapes in a text without tags. */
  readonly textOf: (escaped: string) => string;
  /** The speaker that the identifier of a cue names. */
  readonly voiceOf?: (name: string) => string | null;
  /** Whether to skip the block that begins with this line. */
  readonly skips?: (line: string) => boolean;
  /** The confidence that a skipped block gives to the next cue; null if it gives none. */
  readonly confidenceOf?: (line: string) => number | null;
  /** Whether a line begins a file, and reads the header there; returns where the cues begin. */
  readonly isHeader?: (line: string) => boolean;
  readonly readHeader?: (header: TextPosition) => TextPosition;
  /** The cue with its times in the whole of joined files; null if it repeats one, or why it has none. */
  readonly placed?: (cue: RawCue) => RawCue | string | null;
}

const BEGINNING: TextPosition = { at: 0, line: 1 };
/** A tag that may mark the word that is being said. */
const HIGHLIGHT = /<(?:[ubic]|font)[\s.>]/;
const NOT_ALIKE = 'the text of this cue is not like that of the others';

/** Reads the cues of a file into the draft, or of several that were joined. They do not say their language. */
export function readCues(text: string, format: CaptionFormat, draft: TranscriptDraft): null {
  const { isHeader = () => false, skips = () => false, placed = (cue) => cue } = format;
  const spoken: Spoken[] = [];
  let confidence = 1;
  const take = (cue: RawCue): boolean => {
    const place = placeOf(cue.line);
    if (!draft.hasRoom(place)) return false;
    const at = placed(cue);
    const parts = format.partsOf(cue.markup);
    if (typeof at === 'string' || !parts) draft.mistake(place, typeof at === 'string' ? at : NOT_ALIKE);
    else if (at) {
      const { line, start, end, name } = at;
      for (const part of parts) {
        if (part.text.trim() === '') continue;
        if (!draft.hasRoom(place, spoken.length)) return false;
        const voice = part.voice ?? format.voiceOf?.(name) ?? null;
        const isMarked = HIGHLIGHT.test(cue.markup);
        spoken.push({ line, start, end, voice, text: part.text.trim(), confidence, isMarked });
      }
    }
    confidence = 1;
    return true;
  };
  const visitor = {
    inMilliseconds: countsMilliseconds(text),
    isHeader,
    skips,
    note: (line: string) => (confidence = format.confidenceOf?.(line) ?? confidence),
    mistake: (line: number, reason: string) => draft.mistake(placeOf(line), reason),
    cue: take,
  };
  let next: TextPosition | null = BEGINNING;
  while (next) next = scanCaptions(text, format.readHeader?.(next) ?? next, visitor);
  const found = unstamped(spoken);
  const said = isRolling(found) ? unrolled(found) : withoutHighlights(found);
  addSpoken(spokenInBroadcast(said) ?? withLabels(said), format, draft);
  return null;
}

/** Reads labels as voices. If a voice tag names the speaker, a colon is text. */
function withLabels(spoken: readonly Spoken[]): readonly Spoken[] {
  const unvoiced = spoken.filter(({ voice }) => voice === null);
  const labelIn = labelReader(unvoiced.map(({ text }) => text));
  return spoken.map((part) => {
    const label = part.voice === null ? labelIn(part.text) : null;
    return label ? { ...part, voice: label.speaker, text: label.text } : part;
  });
}

/** A time, which the cue has already. */
const STAMP = /^\[(?:\d{1,2}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?\]\s+/;

/** Removes the time that the texts of at least half of the cues begin with, and the name in the voice tag behind it. */
function unstamped(spoken: readonly Spoken[]): readonly Spoken[] {
  const stamped = spoken.filter(({ text }) => STAMP.test(text)).length;
  if (stamped === 0 || stamped * 2 < spoken.length) return spoken;
  return spoken.map((part) => {
    const text = part.text.replace(STAMP, '');
    const label = `${part.voice}: `;
    return { ...part, text: text !== part.text && text.startsWith(label) ? text.slice(label.length) : text };
  });
}

function addSpoken(spoken: readonly Spoken[], { textOf }: CaptionFormat, draft: TranscriptDraft): void {
  for (const [index, { line, start, end, voice, text, confidence }] of spoken.entries()) {
    if (!draft.hasRoom(placeOf(line), index)) return;
    const segment = { start, end, text: textOf(text), speaker: textOf(voice ?? ''), confidence };
    draft.add(segment, () => placeOf(line));
  }
}

export const placeOf = (line: number): string => `line ${line}`;
