import { secondsOf, type Span } from './passages.js';

/** Text with the time in which it was spoken, in seconds. */
export interface SpokenText extends Span {
  readonly text: string;
}

/** Position of a sentence's end in the text, and when it was spoken if the model says so. */
interface SentenceEnd {
  readonly position: number;
  readonly time: number | null;
}

/** Seconds. */
const PAUSE = {
  /** Shorter ones occur within words. */
  shortest: 0.15,
  /** How far a sentence may end from where its length, or the model, suggests. */
  reach: { length: 2, model: 0.5 },
  /** What it is worth to end a sentence at a pause rather than to leave two sentences together. */
  worth: 0.9,
} as const;

/**
 * Splits recognized text at the ends of sentences that coincide with a pause, so that its times are those of real
 * pauses: sentences without a pause between them stay together. `times` are those of `characters` in the text, if the
 * model provides them; otherwise speech is assumed to be equally fast throughout.
 */
export function splitAtPauses(
  text: string,
  spans: readonly Span[],
  language: string,
  times: readonly CharacterTime[] = [],
): SpokenText[] {
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last || text.trim() === '') return [];
  const ends = sentenceEnds(text, language, times);
  const cuts = match(ends, text.length, spans);
  const pieces: SpokenText[] = [];
  let [position, start] = [0, first.start];
  for (const { end, pause } of cuts) {
    const [before, after] = [spans[pause] as Span, spans[pause + 1] as Span];
    pieces.push({ start, end: before.end, text: text.slice(position, end.position).trim() });
    [position, start] = [end.position, after.start];
  }
  return [...pieces, { start, end: last.end, text: text.slice(position).trim() }];
}

/** A character of the text, and when it was spoken, in seconds. */
export interface CharacterTime {
  readonly position: number;
  readonly time: number;
}

/** The ends of all sentences but the last. */
function sentenceEnds(text: string, language: string, times: readonly CharacterTime[]): SentenceEnd[] {
  const sentences = [...new Intl.Segmenter(language || 'und', { granularity: 'sentence' }).segment(text)];
  return sentences.slice(1).map(({ index }) => ({
    position: index,
    time: times.find(({ position }) => position >= index)?.time ?? null,
  }));
}

interface Cut {
  readonly end: SentenceEnd;
  /** Index of the stretch before the pause. */
  readonly pause: number;
}

interface Assignment {
  readonly worth: number;
  readonly cuts: readonly Cut[];
}

/** Assigns ends of sentences to pauses, both in order, so that the sum of what the cuts are worth is the highest. */
function match(ends: readonly SentenceEnd[], length: number, spans: readonly Span[]): readonly Cut[] {
  const worth = worthOf(length, spans);
  // The best assignments of the ends so far to the first 0, 1, 2, ... pauses.
  let best: Assignment[] = spans.map(() => ({ worth: 0, cuts: [] }));
  for (const end of ends) {
    const next = [best[0] as Assignment];
    for (let pause = 0; pause + 1 < spans.length; pause++) {
      const before = best[pause] as Assignment;
      const cut = { worth: before.worth + worth(end, pause), cuts: [...before.cuts, { end, pause }] };
      next.push([next[pause] as Assignment, best[pause + 1] as Assignment, cut].reduce(better));
    }
    best = next;
  }
  return (best.at(-1) as Assignment).cuts;
}

const better = (one: Assignment, other: Assignment): Assignment => (other.worth > one.worth ? other : one);

/** How well an end of a sentence matches a pause; negative if it does not. */
function worthOf(length: number, spans: readonly Span[]): (end: SentenceEnd, pause: number) => number {
  const spoken = secondsOf(spans);
  const spokenBefore = spans.map((_, index) => secondsOf(spans.slice(0, index + 1)));
  return ({ position, time }, pause) => {
    const [before, after] = [spans[pause] as Span, spans[pause + 1] as Span];
    const silence = after.start - before.end;
    const distance =
      time === null
        ? Math.abs((position / length) * spoken - (spokenBefore[pause] as number))
        : Math.max(0, before.end - time, time - after.start);
    const reach = time === null ? PAUSE.reach.length : PAUSE.reach.model;
    if (silence < PAUSE.shortest || distance > reach) return -1;
    return PAUSE.worth + silence - distance;
  };
}
