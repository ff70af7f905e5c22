import { clock } from './captions/captions-times.js';
import { paragraphs } from './transcript-files-paragraphs.js';
import type { TranscriptWriter } from './transcript-writing.js';

/** Plain text: `[00:12:34] Ada: Good morning`. */
export const writeText: TranscriptWriter = {
  opening: () => '',
  batch: paragraphs({
    opening: (speaker, start) => `[${clock(start)}] ${speaker === '' ? '' : `${speaker}: `}`,
    escape: (text) => text,
  }),
  closing: () => '\n',
};
