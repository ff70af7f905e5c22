import { itemsOf, memberAt, membersOf } from '../json-values.js';
import type { ForeignFormat } from './foreign-format.js';
import { foreignLanguage, meanShare, SECONDS, timedTextOf, type SegmentShape } from './foreign-segments.js';

const SEGMENT: SegmentShape = { start: 'start', end: 'end', text: 'text', unit: SECONDS };

/** Output of WhisperX: segments like those of Whisper, but with a `score` for each word. */
export const WHISPERX: ForeignFormat<unknown> = {
  name: 'whisperx',
  title: 'WhisperX',
  recognizes: (file) => {
    const segments = itemsOf(memberAt(file, 'segments'));
    if (segments.length > 0 && Array.isArray(memberAt(file, 'word_segments'))) return true;
    return segments.some((segment) => itemsOf(memberAt(segment, 'words')).some(hasScore));
  },
  read: (file, draft) => {
    for (const [index, segment] of itemsOf(memberAt(file, 'segments')).entries()) {
      const place = `segments[${index}]`;
      if (!draft.hasRoom(index, place)) break;
      const said = timedTextOf(segment, place, SEGMENT, draft);
      if (!said) continue;
      const speaker = memberAt(segment, 'speaker');
      const scores = itemsOf(memberAt(segment, 'words')).map((word) => memberAt(word, 'score'));
      draft.add(
        {
          ...said,
          speaker: typeof speaker === 'string' ? speaker : '',
          confidence: meanShare(scores) ?? 1,
        },
        (member) => `${place}.${member}`,
      );
    }
    return foreignLanguage(memberAt(file, 'language'));
  },
};

function hasScore(word: unknown): boolean {
  return 'score' in (membersOf(word) ?? {});
}
