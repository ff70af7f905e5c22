import { itemsOf, memberAt } from '../json-values.js';
import type { ReadableFormat } from '../transcript-draft.js';
import {
  foreignLanguage,
  meanShare,
  MILLISECONDS,
  readSegments,
  speakerLabel,
  type SegmentShape,
} from './json-segments.js';

const SEGMENT: SegmentShape = { start: 'offsets.from', end: 'offsets.to', text: 'text', unit: MILLISECONDS };
/** Tokens that are not part of the text, such as `[_BEG_]` and `[_TT_150]`. */
const SPECIAL = /^\s*\[_[A-Za-z]+_\d*\]/;

/** Output of whisper.cpp (`-oj` and `-ojf`, which adds tokens with probabilities); times in milliseconds. */
export const WHISPER_CPP: ReadableFormat<unknown> = {
  name: 'whisper-cpp',
  title: 'whisper.cpp',
  recognizes: (file) => Array.isArray(memberAt(file, 'transcription')),
  read: (file, draft) => {
    const segments = itemsOf(memberAt(file, 'transcription'));
    readSegments(segments, 'transcription', SEGMENT, draft, (segment) => {
      const tokens = itemsOf(memberAt(segment, 'tokens')).filter((token) =>
        isSpoken(memberAt(token, 'text')),
      );
      const confidence = meanShare(tokens.map((token) => memberAt(token, 'p')));
      return { speaker: speakerLabel(memberAt(segment, 'speaker')), confidence };
    });
    return foreignLanguage(memberAt(file, 'result.language'));
  },
};

function isSpoken(token: unknown): boolean {
  return typeof token === 'string' && !SPECIAL.test(token);
}
