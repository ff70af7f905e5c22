import { decodeHTMLStrict } from 'entities';
import type { TextFormat, TranscriptDraft } from '../transcript-draft.js';
import { withoutJoiners } from './captions-joiners.js';
import { voicePartsOf } from './captions-markup.js';
import { readCues, type CaptionFormat } from './captions-reader.js';
import { timingLinesIn } from './captions-times.js';

/** Overrides such as `{\an8}`, which position and style a cue. */
const OVERRIDES = /\{\\[^{}]*\}/g;

export const SRT_CUES: CaptionFormat = {
  partsOf: (markup) => voicePartsOf(markup.replace(OVERRIDES, '')),
  textOf: (escaped) => withoutJoiners(decodeHTMLStrict(escaped)),
};

export const SRT: TextFormat = {
  name: 'srt',
  title: 'SRT',
  match: (text) => {
    const { count, padded, unpadded } = timingLinesIn(text);
    // Number, times, text and a blank line: what looks like another format within them is what somebody said.
    return count === 0 || unpadded > padded
      ? null
      : { points: 4 * count, read: (draft) => readSrt(text, draft) };
  },
};

export function readSrt(text: string, draft: TranscriptDraft): null {
  readCues(text, SRT_CUES, draft);
  return null;
}
