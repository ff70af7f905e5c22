import type { Cues } from './extractive-cues.js';
import type { Weighed } from './extractive-words.js';
import { MOMENT_CUES } from './moment-cues.js';

/** Seconds on either side over which what is said counts, the less the farther it is; for the chair's words apart. */
const NEAR = 30;
const AROUND = 90;
const OF_CHAIR = 60;
/** Seconds of silence before a sentence that count in full. */
const LONG_SILENCE = 8;
/** Characters of a sentence that count as 1. */
const LENGTH = 100;
const MOST_NAMES = 3;
/** Seconds that the opening and the end of a meeting last. */
const OPENING = 120;
const ENDING = 600;

/** Columns beside the cues, in every language: see `formOf`. */
const FORMS = 7;

/** What was said, as the models see it. */
export interface Moments {
  /** For each sentence, its cues as 1 or 0, then its form. */
  readonly sentences: readonly (readonly number[])[];
  readonly isChair: readonly boolean[];
  /** For each sentence, what is known about the moment at which it begins: the input of the models. */
  readonly rows: () => Generator<number[]>;
}

/**
 * Counts cues, turns and names around the moment at which each sentence begins: people note stretches of dialogue, seldom
 * one sentence. Somebody asks, others assent, the chair goes on. The cues are English, and not counted in meetings in
 * other languages. Takes linear time.
 */
export function momentsOf(said: readonly Weighed[], talk: Cues, isEnglish: boolean): Moments {
  const chair = chairOf(said);
  const isChair = said.map(({ sentence }) => sentence.speaker === chair);
  const sentences = said.map(({ sentence: { text } }, at) => [
    ...MOMENT_CUES.map((cue) => (isEnglish && cue.test(text) ? 1 : 0)),
    ...formOf(said, at, talk),
  ]);
  const starts = said.map(({ sentence }) => sentence.start);
  return { sentences, isChair, rows: () => rowsOf(starts, sentences, isChair) };
}

function* rowsOf(
  starts: readonly number[],
  sentences: readonly (readonly number[])[],
  isChair: readonly boolean[],
): Generator<number[]> {
  const near = around(starts, (at) => sentences[at]!, NEAR);
  const wide = around(starts, (at) => sentences[at]!, AROUND);
  const silent = MOMENT_CUES.map(() => 0);
  const ofChair = (at: number) => (isChair[at] ? sentences[at]!.slice(0, -FORMS) : silent);
  const chaired = around(starts, ofChair, OF_CHAIR);
  const [from, to] = [starts[0] ?? 0, starts.at(-1) ?? 0];
  for (const [at, start] of starts.entries()) {
    const position = (start - from) / Math.max(to - from, 1);
    const [opening, ending] = [Math.exp((from - start) / OPENING), Math.exp((start - to) / ENDING)];
    yield [...near(at), ...wide(at), ...chaired(at), position, opening, ending];
  }
}

/** How much the cues of a sentence add to what the model finds around it. */
export function ownWeight(
  { sentences, isChair }: Moments,
  index: number,
  weights: readonly number[],
): number {
  const width = MOMENT_CUES.length + FORMS;
  return MOMENT_CUES.reduce((sum, _, cue) => {
    const chaired = isChair[index] ? weights[2 * width + cue]! : 0;
    return sum + sentences[index]![cue]! * (weights[cue]! + weights[width + cue]! + chaired);
  }, 0);
}

/** Who takes most turns. */
function chairOf(said: readonly Weighed[]): string | undefined {
  const turns = new Map<string, number>();
  said.forEach(({ sentence: { speaker } }, at) => {
    if (said[at - 1]?.sentence.speaker !== speaker) turns.set(speaker, (turns.get(speaker) ?? 0) + 1);
  });
  return [...turns].sort(([, one], [, other]) => other - one)[0]?.[0];
}

/** Another speaker, the silence before, the length, names, numbers, small talk, and words that report. */
function formOf(said: readonly Weighed[], at: number, { smallTalk, report }: Cues): number[] {
  const { speaker, start, text } = said[at]!.sentence;
  const before = said[at - 1]?.sentence;
  return [
    before && before.speaker !== speaker ? 1 : 0,
    before ? Math.min(Math.max(start - before.end, 0) / LONG_SILENCE, 1) : 0,
    text.length / LENGTH,
    Math.min(text.match(/(?<=[^.!?] )\p{Lu}[\p{L}\p{N}]+/gu)?.length ?? 0, MOST_NAMES),
    /\p{N}/u.test(text) ? 1 : 0,
    smallTalk.test(text) ? 1 : 0,
    text.match(report)?.length ?? 0,
  ];
}

/**
 * Returns a function that sums the rows within `seconds` of a sentence, the closer the more, and takes square roots: the fifth
 * word of a kind says less than the first. Call it for each sentence in order; it only moves on.
 */
function around(
  starts: readonly number[],
  rowAt: (at: number) => readonly number[],
  seconds: number,
): (at: number) => number[] {
  const width = starts.length === 0 ? 0 : rowAt(0).length;
  // Before and after: the sums of the rows, and of the rows times their start.
  const [before, after] = [new Float64Array(2 * width), new Float64Array(2 * width)];
  let [low, high] = [0, 0];
  const add = (sums: Float64Array, at: number, sign: 1 | -1) => {
    const row = rowAt(at);
    for (let column = 0; column < width; column += 1) {
      sums[column]! += sign * row[column]!;
      sums[width + column]! += sign * row[column]! * starts[at]!;
    }
  };
  return (at) => {
    const start = starts[at]!;
    for (; high < starts.length && (high <= at || starts[high]! <= start + seconds); high += 1)
      add(after, high, 1);
    if (at > 0) {
      add(after, at - 1, -1);
      add(before, at - 1, 1);
    }
    for (; low < at && starts[low]! < start - seconds; low += 1) add(before, low, -1);
    return Array.from({ length: width }, (_, column) => {
      const earlier = before[column]! * (1 - start / seconds) + before[width + column]! / seconds;
      const later = after[column]! * (1 + start / seconds) - after[width + column]! / seconds;
      return Math.sqrt(Math.max(earlier + later, 0));
    });
  };
}
