import type { TextFormat } from '../transcript-draft.js';
import { readCues, type CaptionFormat } from './captions-reader.js';
import { SRT_CUES } from './srt-reader.js';

const TIME = String.raw`\d{1,3}:\d{2}:\d{2}\.\d{1,3}`;
const TIMES = new RegExp(`^(${TIME}),(${TIME})[ \\t]*$`, 'gm');
const CUES: CaptionFormat = {
  ...SRT_CUES,
  partsOf: (markup) => SRT_CUES.partsOf(markup.replaceAll('[br]', '\n')),
};

/** SBV, which YouTube writes: like SRT, but with a comma between the times, and without numbers. */
export const SBV: TextFormat = {
  name: 'sbv',
  title: 'YouTube (SBV)',
  match: (text) => {
    const count = text.match(TIMES)?.length ?? 0;
    if (count === 0) return null;
    return {
      points: 4 * count,
      read: (draft) => {
        readCues(text.replace(TIMES, '$1 --> $2'), CUES, draft);
        return null;
      },
    };
  },
};
