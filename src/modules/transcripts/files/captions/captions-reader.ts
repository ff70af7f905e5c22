import { spokenInBroadcast } from './captions-broadcast.js';
import { areLabelled, labelOf } from './captions-labels.js';
import type { VoicePart } from './captions-markup.js';
import type { TextPosition } from './captions-lines.js';
import { isRolling, unrolled } from './captions-rolling.js';
import { scanCaptions } from './captions-scanner.js';
import type { Spoken } from './captions-spoken.js';
import type { TranscriptDraft } from '../transcript-files-draft.js';

export interface CaptionFormat {
  readonly partsOf: (markup: string) => VoicePart[];
  /** Decodes escapes in a text without tags. */
  readonly textOf: (escaped: string) => string;
  /** Whether to skip the block that begins with this line. */
  readonly skips: (line: string) => boolean;
  /** The confidence that a skipped block gives to the next cue; null if it gives none. */
  readonly confidenceOf?: (line: string) => number | null;
}

/** Reads the cues from `start` into the draft. */
export function readCues(
  text: string,
  start: TextPosition,
  format: CaptionFormat,
  draft: TranscriptDraft,
): void {
  const spoken: Spoken[] = [];
  let confidence = 1;
  scanCaptions(text, start, {
    skips: format.skips,
    note: (line) => (confidence = format.confidenceOf?.(line) ?? confidence),
    mistake: (line, reason) => draft.mistake(placeOf(line), reason),
    cue: ({ line, start: from, end, markup }) => {
      if (!draft.hasRoom(placeOf(line))) return false;
      for (const { voice, text: said } of format.partsOf(markup)) {
        if (said.trim() === '') continue;
        if (!draft.hasRoom(placeOf(line), spoken.length)) return false;
        spoken.push({ line, start: from, end, voice, text: said.trim(), confidence });
      }
      confidence = 1;
      return true;
    },
  });
  const said = isRolling(spoken) ? unrolled(spoken) : spoken;
  addSpoken(spokenInBroadcast(said) ?? withLabels(said), format, draft);
}

/** Reads labels as voices. If a voice tag names the speaker, a colon is text. */
function withLabels(spoken: readonly Spoken[]): readonly Spoken[] {
  const unvoiced = spoken.filter(({ voice }) => voice === null);
  if (!areLabelled(unvoiced.map(({ text }) => text))) return spoken;
  return spoken.map((part) => {
    const label = part.voice === null ? labelOf(part.text) : null;
    return label ? { ...part, voice: label.speaker, text: label.text } : part;
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
