import { decodeHTMLStrict } from 'entities';
import type { TextFormat, TranscriptDraft } from '../transcript-draft.js';
import { withoutJoiners } from './captions-joiners.js';
import { voicePartsOf } from './captions-markup.js';
import { readCues, type CaptionFormat } from './captions-reader.js';
import { timingLinesIn } from './captions-times.js';

/** Overrides such as `{\an8}`, which position and style a cue. */
const OVERRIDES = /\{\\[^{}]*\}/g;

const SRT_CUES: CaptionFormat = {
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

export const readSrt = (text: string, draft: TranscriptDraft): null => readCues(text, SRT_CUES, draft);

const TIME = String.raw`\d{1,3}:\d{2}:\d{2}\.\d{1,3}`;
const SBV_TIMES = new RegExp(`^(${TIME}),(${TIME})[ \\t]*$`, 'gm');
const SBV_CUES: CaptionFormat = {
  ...SRT_CUES,
  partsOf: (markup) => SRT_CUES.partsOf(markup.replaceAll('[br]', '\n')),
};

/** SBV, which YouTube writes: like SRT, but with a comma between the times, and without numbers. */
export const SBV: TextFormat = {
  name: 'sbv',
  title: 'YouTube (SBV)',
  match: (text) => {
    const count = text.match(SBV_TIMES)?.length ?? 0;
    const asSrt = (): string => text.replace(SBV_TIMES, '$1 --> $2');
    return count === 0 ? null : { points: 4 * count, read: (draft) => readCues(asSrt(), SBV_CUES, draft) };
  },
};
