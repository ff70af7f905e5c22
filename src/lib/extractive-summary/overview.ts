import { quote } from './extractive-content.js';
import type { Cues } from './extractive-cues.js';
import type { Scored } from './extractive-scores.js';

/** Most sentences, in a short and in a long meeting, and most words with who said them and when. */
const FEW = 3;
const MANY = 4;
const LONG = 6;
const MOST_WORDS = 120;
/** Share of the meeting that is searched for its purpose, and the weight of a sentence that states it. */
const BEGINNING = 0.1;
const PURPOSE = 1.5;

/** The overview, in chronological order: the sentences that say most about their topic, and the purpose of the meeting. */
export function overviewOf(
  topics: readonly (readonly Scored[])[],
  sentences: number,
  { purpose }: Cues,
): Scored[] {
  const worthOf = ({ sentence, index, score, clarity, isQuestion }: Scored) =>
    score *
    clarity *
    (isQuestion ? 0 : 1) *
    (index < sentences * BEGINNING && purpose.test(sentence.text) ? PURPOSE : 1);
  const ranked = topics
    .map((said) => said.map((one) => ({ one, worth: worthOf(one) })))
    .map((said) => said.reduce((best, other) => (other.worth > best.worth ? other : best)))
    .filter(({ worth }) => worth > 0)
    .sort((first, second) => second.worth - first.worth)
    .map(({ one }) => one);
  const chosen: Scored[] = [];
  let words = 0;
  for (const one of ranked.slice(0, topics.length > LONG ? MANY : FEW)) {
    words += wordsOf(one);
    if (chosen.length > 0 && words > MOST_WORDS) break;
    chosen.push(one);
  }
  return chosen.sort((one, other) => one.index - other.index);
}

function wordsOf({ sentence: { speaker, start, text } }: Scored): number {
  return quote(speaker, start, text).split(' ').length;
}
