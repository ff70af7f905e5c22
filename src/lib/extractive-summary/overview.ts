import { escaped, nameOf, NOTHING, quote } from './extractive-content.js';
import type { Cues } from './extractive-cues.js';
import type { Scored } from './extractive-points.js';
import { voiceOf, type Voice } from './voices.js';

/** A topic, with the phrases that distinguish it. */
export interface Covered {
  readonly said: readonly Scored[];
  readonly phrases: readonly string[];
}

/** Most statements, in a short and in a long meeting, and most words of all. */
const FEW = 2;
const MANY = 3;
const LONG = 3;
const MOST_WORDS = 120;
const MOST_SPEAKERS = 3;
/** Words of a statement that is reported. */
const SHORTEST = 8;
const LONGEST = 28;
/** Weight of what is decided, planned or open, and of what has numbers. */
const MATTERS = 1.6;
const NUMBERS = 1.2;
/** Weight of another statement of the same speaker, and of each comma and each word that refers back. */
const AGAIN = 0.4;
const HALTING = 0.8;
const VAGUE = 0.5;

/** Pauses and beginnings anew; what was put with difficulty is not tidied enough to be retold. */
const BROKEN = /…|\.\s\p{Ll}|\p{L}-\s|, \p{Lu}\p{Ll}+ \p{Ll}/u;

const quoted = ({ sentence, prose }: Scored) => quote(sentence.speaker, sentence.start, prose);

/**
 * The overview as Markdown: the topics, who spoke most, and in the third person what was said about them. Reports that
 * somebody said something, never that it is so. Quotes in languages that there are no words for.
 */
export function overviewOf(topics: readonly Covered[], language: string | null, cues: Cues): string {
  const voice = voiceOf(language);
  const reports = voice ? told(topics, (one) => reported(one, voice, cues), voice) : [];
  const written = voice ? [introductionOf(topics, voice), ...reports].filter((one) => one !== '') : [];
  const sentences = written.length > 0 ? written : told(topics, quoted);
  return escaped(within(sentences).join(' ')) || (voice?.nothing ?? NOTHING);
}

/** What says most about each topic, of the topics of which most can be said, in chronological order. */
function told(topics: readonly Covered[], tell: (one: Scored) => string, voice?: Voice): string[] {
  const candidates = topics.flatMap(({ said }, topic) =>
    said
      .filter(({ score, isQuestion }) => score > 0 && !isQuestion)
      .map((one) => ({ ...one.sentence, topic, told: tell(one), worth: worthOf(one, voice) }))
      .filter((one) => one.told !== ''),
  );
  const chosen: typeof candidates = [];
  while (chosen.length < (topics.length > LONG ? MANY : FEW)) {
    const heard = new Set(chosen.map(({ speaker }) => speaker));
    const [best] = candidates
      .filter(({ topic }) => chosen.every((one) => one.topic !== topic))
      .map((one) => ({ one, worth: one.worth * (heard.has(one.speaker) ? AGAIN : 1) }))
      .sort((one, other) => other.worth - one.worth);
    if (!best) break;
    chosen.push(best.one);
  }
  return chosen.sort((one, other) => one.topic - other.topic).map((one) => one.told);
}

function worthOf({ score, clarity, sentence: { text } }: Scored, voice?: Voice): number {
  const commas = text.match(/[,，、]/gu)?.length ?? 0;
  const vague = (voice && text.match(voice.vague)?.length) ?? 0;
  const numbers = /\p{N}/u.test(text) ? NUMBERS : 1;
  return (
    score * clarity * numbers * HALTING ** commas * VAGUE ** vague * (voice?.matters.test(text) ? MATTERS : 1)
  );
}

/** A statement in the third person; empty if it cannot be put so for certain. */
function reported(
  { sentence: { text, speaker, isWhole }, prose: said, isLeaning }: Scored,
  voice: Voice,
  cues: Cues,
): string {
  const words = said.split(' ').length;
  if (!isWhole || isLeaning || BROKEN.test(text) || words < SHORTEST || words > LONGEST) return '';
  if (!voice.statement.test(said) || voice.direct.test(said)) return '';
  const [opening, verb] = voice.openings.find(([pattern]) => pattern.test(said))!;
  const [first] = /^\p{L}*/u.exec(said)!;
  const begun = cues.closed.has(first.toLowerCase()) ? first.toLowerCase() + said.slice(first.length) : said;
  let rest = begun.replace(opening, '');
  for (const [pattern, other] of voice.persons) rest = rest.replace(pattern, other);
  return verb.replace('{}', () => nameOf(speaker) || voice.someone) + rest;
}

/** "The topics were gas and storage; Ada and Bo spoke most." Empty if no phrase distinguishes a topic. */
function introductionOf(topics: readonly Covered[], voice: Voice): string {
  const first = topics.flatMap(({ phrases: [phrase = ''] }) => (voice.topic.test(phrase) ? [phrase] : []));
  // "DevNet 7" says no more beside "DevNet 7 spec".
  const phrases = first.filter((one, at) =>
    first.every((other, index) => index === at || !other.includes(one)),
  );
  if (phrases.length === 0) return '';
  const shares = new Map<string, number>();
  for (const { sentence } of topics.flatMap(({ said }) => said)) {
    const name = nameOf(sentence.speaker);
    if (name !== '') shares.set(name, (shares.get(name) ?? 0) + sentence.text.length);
  }
  const names = [...shares].sort((one, other) => other[1] - one[1]).map(([name]) => name);
  const template = voice.introductions[Math.min(names.length, voice.introductions.length - 1)]!;
  return template
    .replace('{topics}', () => voice.list.format(phrases))
    .replace('{names}', () => voice.list.format(names.slice(0, MOST_SPEAKERS)));
}

/** As many of the first sentences as the words allow. */
function within(sentences: readonly string[]): string[] {
  let words = 0;
  return sentences.filter((sentence, index) => {
    words += sentence.split(' ').length;
    return index === 0 || words <= MOST_WORDS;
  });
}
