import { clockTime } from '../../../lib/clock-time.js';
import type { Citation, MeetingsQuestionAnswer, PlainAnswer } from '../public/answer.response.dto.js';
import type { Passage } from '../passages/passages.js';

const NOTHING = 'Nothing in the transcript matches the question.';
const NOWHERE = 'Nothing in the transcripts matches the question.';
const WITHHELD = ' Recordings whose plan or feature flags do not include questions were left out.';

/** What a question about many meetings gets if none matches. */
export const nowhere = (withheld: boolean): Omit<MeetingsQuestionAnswer, 'notice'> => ({
  mode: 'passages',
  answer: withheld ? NOWHERE + WITHHELD : NOWHERE,
  citations: [],
});

/** Presents the passages themselves as the answer, in order of rank; `titled` with the titles of their meetings. */
export function answerOfPassages(passages: readonly Passage[], { titled = false } = {}): PlainAnswer {
  const lines = passages.flatMap(({ title, segments }) =>
    turnsOf(segments).map(({ speaker, start, quote }) => {
      const place = titled ? `${title}, ${clockTime(start)}` : clockTime(start);
      return `${speaker ? `${speaker} (${place})` : place}: "${quote}"`;
    }),
  );
  return {
    mode: 'passages',
    answer: lines.join('\n') || NOTHING,
    citations: passages.flatMap(({ segments }) => segments),
  };
}

/** Consecutive segments of one speaker as one. */
function turnsOf(segments: readonly Citation[]): Citation[] {
  const turns: Citation[] = [];
  for (const segment of segments) {
    const last = turns.at(-1);
    if (last?.speaker !== segment.speaker) turns.push(segment);
    else turns.splice(-1, 1, { ...last, end: segment.end, quote: `${last.quote} ${segment.quote}` });
  }
  return turns;
}
