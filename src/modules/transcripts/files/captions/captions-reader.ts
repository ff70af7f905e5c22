import { areLabelled, labelOf } from './captions-labels.js';
import type { VoicePart } from './captions-markup.js';
import type { TextPosition } from './captions-lines.js';
import { scanCaptions, type RawCue } from './captions-scanner.js';
import type { TranscriptDraft } from '../transcript-files-draft.js';

export interface CaptionFormat {
  readonly partsOf: (markup: string) => VoicePart[];
  /** Decodes escapes in a text without tags. */
  readonly textOf: (escaped: string) => string;
  /** Whether to skip the block that begins with this line. */
  readonly skips: (line: string) => boolean;
}

interface Spoken extends Omit<RawCue, 'markup'>, VoicePart {}

/** Reads the cues from `start` into the draft. Returns the number of cues, including empty ones. */
export function readCues(
  text: string,
  start: TextPosition,
  format: CaptionFormat,
  draft: TranscriptDraft,
): number {
  const spoken: Spoken[] = [];
  let count = 0;
  scanCaptions(text, start, {
    skips: format.skips,
    mistake: (line, reason) => draft.mistake(placeOf(line), reason),
    cue: ({ line, start: from, end, markup }) => {
      if (!draft.hasRoom(count, placeOf(line))) return false;
      count += 1;
      for (const { voice, text: said } of format.partsOf(markup)) {
        if (said.trim() === '') continue;
        if (!draft.hasRoom(spoken.length, placeOf(line))) return false;
        spoken.push({ line, start: from, end, voice, text: said.trim() });
      }
      return true;
    },
  });
  // If a voice tag names the speaker, a colon is text.
  const unvoiced = spoken.filter(({ voice }) => voice === null);
  const labelled = areLabelled(unvoiced.map(({ text: said }) => said));
  for (const { line, start: from, end, voice, text: said } of spoken) {
    const label = labelled && voice === null ? labelOf(said) : null;
    draft.add(
      {
        start: from,
        end,
        text: format.textOf(label?.text ?? said),
        speaker: format.textOf(label?.speaker ?? voice ?? ''),
        confidence: 1,
      },
      () => placeOf(line),
    );
  }
  return count;
}

export const placeOf = (line: number): string => `line ${line}`;
