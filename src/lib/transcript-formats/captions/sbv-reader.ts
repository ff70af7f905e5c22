import { headOf } from '../transcript-text.js';
import type { ReadableFormat } from '../transcript-draft.js';
import { readCues, type CaptionFormat } from './captions-reader.js';
import { SRT_CUES } from './srt-reader.js';

const TIME = String.raw`\d{1,3}:\d{2}:\d{2}\.\d{1,3}`;
const TIMES = new RegExp(`^(${TIME}),(${TIME})[ \\t]*$`, 'gm');
const BEGINS = new RegExp(String.raw`^\s{0,100}${TIME},${TIME}[ \t]*[\r\n]`);

const CUES: CaptionFormat = {
  ...SRT_CUES,
  partsOf: (markup) => SRT_CUES.partsOf(markup.replaceAll('[br]', '\n')),
};

/** SBV, which YouTube writes: like SRT, but with a comma between the times, and without numbers. */
export const SBV: ReadableFormat<string> = {
  name: 'sbv',
  title: 'YouTube (SBV)',
  recognizes: (text) => BEGINS.test(headOf(text)),
  read: (text, draft) => {
    readCues(text.replace(TIMES, '$1 --> $2'), CUES, draft);
    return null;
  },
};
