import { itemsOf, memberAt, membersOf } from '../json-values.js';
import type { ForeignFormat } from './foreign-format.js';
import {
  foreignLanguage,
  meanShare,
  MILLISECONDS,
  speakerLabel,
  timedTextOf,
  type SegmentShape,
} from './foreign-segments.js';

const SEGMENT: SegmentShape = { start: 'from', end: 'to', text: 'text', unit: MILLISECONDS };
/** Tokens that are not part of the text, such as `[_BEG_]` and `[_TT_150]`. */
const SPECIAL = /^\s*\[_[A-Za-z]+_\d*\]/;

/** Output of whisper.cpp (`-oj` and `-ojf`, which adds tokens with probabilities); times in milliseconds. */
export const WHISPER_CPP: ForeignFormat<unknown> = {
  name: 'whisper-cpp',
  title: 'whisper.cpp',
  recognizes: (file) => Array.isArray(memberAt(file, 'transcription')),
  read: (file, draft) => {
    for (const [index, segment] of itemsOf(memberAt(file, 'transcription')).entries()) {
      const place = `transcription[${index}]`;
      if (!draft.hasRoom(index, place)) break;
      const offsets = membersOf(memberAt(segment, 'offsets'));
      const members = { from: offsets?.['from'], to: offsets?.['to'], text: memberAt(segment, 'text') };
      const said = timedTextOf(members, place, SEGMENT, draft);
      if (!said) continue;
      const tokens = itemsOf(memberAt(segment, 'tokens')).filter((token) =>
        isSpoken(memberAt(token, 'text')),
      );
      const confidence = meanShare(tokens.map((token) => memberAt(token, 'p'))) ?? 1;
      draft.add({ ...said, speaker: speakerLabel(memberAt(segment, 'speaker')), confidence }, () => place);
    }
    return foreignLanguage(memberAt(file, 'result', 'language'));
  },
};

function isSpoken(token: unknown): boolean {
  return typeof token === 'string' && !SPECIAL.test(token);
}
