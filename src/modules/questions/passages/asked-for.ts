import { isDense, scriptsOf } from '../../../lib/language/dense-scripts.js';
import {
  DENSE_ASKS,
  DENSE_HOLDS,
  DENSE_OUTCOMES,
  DENSE_QUESTION,
  type AnswerKind,
} from './asked-for-dense.js';

const ASKS: Readonly<Record<AnswerKind, RegExp>> = {
  number:
    /\bhow (?:many|much|long|often|large|big|high|low|fast|slow|far|old|deep)\b|\b(?:what|which) (?:is the |was the )?(?:number|percentage|percent|share|size|limit|price|cost|amount|rate|version)\b|\bwie ?viel|\bwieviel|\bwie (?:lange|oft|groß|hoch|teuer)\b|\bcombien\b|\bcuánt[oa]s?\b/i,
  time: /\bwhen\b|\b(?:what|which|by what) (?:time|date|day|week|month|year|quarter)\b|\bhow soon\b|\bwann\b|\bquand\b|\bcuándo\b/i,
  person: /\bwho(?:m|se)?\b|\bwer\b|\bwem\b|\bwen\b|\bwessen\b|\bqui\b|\bquién(?:es)?\b/i,
  reason:
    /\bwhy\b|\bhow come\b|\bwhat (?:is|was) the reason\b|\bwarum\b|\bwieso\b|\bweshalb\b|\bpourquoi\b|\bpor qué\b/i,
};

const MONTHS =
  'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|janv|févr|avr|juin|juil|août|déc|ene|abr|ago|dic';
const NUMBER_WORDS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundreds?|thousands?|millions?|billions?|half|dozens?|percent|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|zwanzig|hundert|tausend|prozent|deux|trois|quatre|cinq|dix|cent|mille|dos|tres|cuatro|cinco|diez|cien|mil';

/** What an answer of each kind contains. */
const HOLDS: Readonly<Record<AnswerKind, RegExp>> = {
  number: new RegExp(`\\d|\\b(?:${NUMBER_WORDS})\\b`, 'i'),
  time: new RegExp(
    `\\d|\\b(?:${MONTHS})[a-zé]*\\b|\\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\\b|\\b(?:today|tomorrow|tonight|weeks?|months?|years?|quarter|heute|morgen|wochen?|monate?n?|jahre?n?|demain|semaines?|mois|mañana|semanas?|meses)\\b`,
    'i',
  ),
  // A full name, a name that does something, or somebody who says so.
  person:
    /\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+|^\p{Lu}\p{Ll}+ (?:is|was|will|has|can|does|did|ist|hat|wird|macht)\b|(?<=[\p{L},] )\p{Lu}\p{Ll}+(?:['’]s)? (?:is|was|will|has|had|can|would|did|does|and|from|who|found|wird|ist|hat|macht|und|von|est|va|et|es|va|y)\b|\bI(?:['’](?:m|ll|ve|d)| am| will| can| found)\b|\bich (?:werde|bin|kann|habe)\b/u,
  reason:
    /\b(?:because|since|so that|due to|reason|in order to|otherwise|therefore|that's why|weil|denn|damit|wegen|sonst|parce que|car|afin|porque|para que)\b/i,
};

/** Whether a text contains what the question asks for; null for questions of no particular kind. */
export function evidenceFor(question: string): ((text: string) => boolean) | null {
  const kinds = (Object.keys(ASKS) as AnswerKind[]).filter(
    (kind) => ASKS[kind].test(question) || DENSE_ASKS[kind].test(question),
  );
  if (kinds.length === 0) return null;
  return (text) => kinds.some((kind) => HOLDS[kind].test(text) || DENSE_HOLDS[kind].test(text));
}

const OUTCOMES = {
  decisions:
    /\b(?:decid\w*|decisions?|agreed?|agreements?|resolutions?|conclu\w+)\b|\bentsch(?:ied|eid|loss)\w*|\bbeschl(?:uss|üsse|ossen|ieß)\w*|\b(?:ver)?einbar\w*|\bdécid\w*|\bdécision\w*|\bdecision\w*|\bacord\w+|\bacuerdos?\b/giu,
  actionItems:
    /\b(?:action|open) (?:items?|points?)\b|\bto-?dos?\b|\btasks?\b|\bnext steps?\b|\bfollow-?ups?\b|\bassign\w*|\b(?:has|have|had|needs?|is|are|supposed|going) to do\b|\baufgaben?\b|\bnächsten? schritte?n?\b|\btâches?\b|\bprochaines étapes\b|\btareas?\b|\bpróximos pasos\b/giu,
} as const;

/** What a meeting came to. */
export type Outcome = keyof typeof OUTCOMES;

/** Which of what a meeting came to a question asks for, and the words with which it does. */
export function outcomesAskedFor(question: string): { readonly kinds: Outcome[]; readonly words: string[] } {
  const found = (Object.keys(OUTCOMES) as Outcome[]).flatMap((kind) =>
    [...question.matchAll(OUTCOMES[kind]), ...question.matchAll(DENSE_OUTCOMES[kind])].map(([words]) => ({
      kind,
      words,
    })),
  );
  return { kinds: [...new Set(found.map(({ kind }) => kind))], words: found.map(({ words }) => words) };
}

/** Whether a text consists of questions: it asks and does not answer. */
export function onlyAsks(text: string): boolean {
  if (!text.includes('?') && !isDense(text)) return false;
  const sentences = text.split(/(?<=[.?!…])\s+|(?<=[。？！])/).filter((sentence) => /\p{L}/u.test(sentence));
  const asked = sentences.filter((sentence) => QUESTION.test(sentence.trim()));
  // "So, yeah. How many nodes does it simulate?" asks, too.
  return lengthOf(asked) >= MOSTLY * lengthOf(sentences);
}
const QUESTION = new RegExp(`[?？]["'”’)」』]*$|${DENSE_QUESTION.source}`, 'u');
const MOSTLY = 0.6;
const lengthOf = (texts: readonly string[]): number => texts.join('').length;

/** The names, identifiers and numbers in a question, besides its first word. */
export function namesIn(question: string): string[] {
  const words = question
    .split(/[^\p{L}\p{N}\p{M}_-]+/u)
    .flatMap(scriptsOf)
    .filter((word) => !isDense(word));
  return words.filter((word, index) => /\p{N}/u.test(word) || (index > 0 && /^\p{Lu}/u.test(word)));
}

/** Whether a question contains the name of a speaker in a dense script, in which it need not be a word of its own. */
export function isNamed(label: string, question: string): boolean {
  return isDense(label) && question.includes(label);
}
