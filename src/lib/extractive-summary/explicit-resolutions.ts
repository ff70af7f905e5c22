import { isDense } from '../language/dense-scripts.js';
import type { Cues } from './extractive-cues.js';
import type { Weighed } from './extractive-words.js';
import type { ResolutionCues } from './resolution-cues.js';

/** How explicitly each sentence decides something or gives somebody something to do: below 0 if it does not. */
export interface Explicit {
  readonly decisions: readonly number[];
  readonly actionItems: readonly number[];
}

export function explicitIn(
  said: readonly Weighed[],
  cues: ResolutionCues,
  { talk, speakers }: { talk: Cues; speakers: Speakers },
): Explicit {
  const texts = said.map(({ sentence }) => sentence.text);
  const actionItems = texts.map((text) => asks(text, cues, talk, speakers));
  return { decisions: texts.map((text) => decides(text, cues)), actionItems };
}

/** 1 if it says that something is decided, 0 if it settles something without saying so. */
function decides(text: string, { declared, resolved, doubted }: ResolutionCues): number {
  const declaration = declared.exec(text);
  const match = declaration ?? resolved.exec(text);
  // Doubts count before the cue, not in what follows.
  if (!match || isQuestion(text) || doubted.test(text.slice(0, match.index))) return -1;
  return declaration ? 1 : 0;
}

/** More if somebody is asked or a date is named, less if it is vague. */
function asks(text: string, cues: ResolutionCues, talk: Cues, speakers: Speakers): number {
  const [isAsked, isNeeded] = [cues.asked.test(text), cues.needed.test(text)];
  const isNamed = cues.task.test(text) && namedIn(text, cues, speakers) !== null;
  if (!cues.promised.test(text) && !isNamed && !isAsked && !isNeeded) return -1;
  if (isQuestion(text) && !isAsked) return -1;
  const isDue = cues.due(text) !== null;
  return Number(isAsked) + Number(isDue) - Number(isNeeded) - Number(talk.smallTalk.test(text));
}

export const isQuestion = (text: string): boolean => /[?？]$/u.test(text);

/** A phonetic key, the same for different spellings of a name: transcripts have "Kareem" for Karim, "Yannick" for Jannik. */
export function phoneticKey(word: string): string {
  const whole = word.normalize('NFKD').toLowerCase();
  const plain = whole.replace(/['’]s$/u, '').replace(/\P{L}/gu, '');
  const spelled = plain.replace(/[cq]/g, 'k').replace(/[jy]/g, 'i').replace(/z/g, 's');
  const consonants = spelled.replace(/(?!^)[aeiouh]/g, '');
  return consonants.length > 1 ? consonants.replace(/(.)\1+/gu, '$1') : plain;
}

/** Seconds within which who is asked answers. */
const SOON = 15;
const NAME = /\p{Lu}[\p{L}\p{M}]+/gu;

/** Who speaks in the meeting, by each part of the name as it sounds; empty if several people share it. */
export type Speakers = ReadonlyMap<string, string>;

export function speakersByName(labels: readonly string[]): Speakers {
  const names = new Map<string, string>();
  for (const label of labels)
    for (const word of label.match(/\p{L}{2,}/gu) ?? []) {
      const key = phoneticKey(word);
      names.set(key, [label, undefined].includes(names.get(key)) ? label : '');
    }
  return names;
}

/** Who is to do what it says: who is named, the speaker of "I will", or who agrees when asked; null if nobody is. */
export function ownerOf(
  said: readonly Weighed[],
  index: number,
  { cues, speakers }: { cues: ResolutionCues; speakers: Speakers },
): string | null {
  const { text, speaker, start } = said[index]!.sentence;
  const named = namedIn(text, cues, speakers);
  if (named !== null) return named;
  if (cues.self.test(text)) return speaker || null;
  if (cues.promised.test(text)) return null;
  const next = said[index + 1]?.sentence;
  if (!next || !isQuestion(text) || next.speaker === speaker || next.start - start > SOON) return null;
  return cues.self.test(next.text) || cues.accepted.test(next.text) ? next.speaker || null : null;
}

/** What may be names, with their places: words in upper case and, in scripts without case or spaces, those of speakers. */
function namesIn(text: string, speakers: Speakers): (readonly [name: string, from: number])[] {
  const words = Array.from(text.matchAll(NAME), (match) => [match[0], match.index] as const);
  if (!isDense(text)) return words;
  const labels = [...new Set(speakers.values())].flatMap((label) => label.match(/\p{L}{2,}/gu) ?? []);
  const names = labels.filter(isDense).map((name) => [name, text.indexOf(name)] as const);
  return [...words, ...names.filter(([, from]) => from >= 0)];
}

/** The speaker who is addressed ("Ada, can you", or at the end of a question) or expected to do something ("Ada will"). */
export function namedIn(text: string, { afterName }: ResolutionCues, speakers: Speakers): string | null {
  for (const [name, from] of namesIn(text, speakers)) {
    const [before, rest] = [text.slice(0, from), text.slice(from + name.length)];
    if (!afterName.test(rest) && !(/^[?.]?$/u.test(rest) && before.endsWith(', '))) continue;
    const found = speakers.get(phoneticKey(name));
    if (found) return found;
  }
  return null;
}
