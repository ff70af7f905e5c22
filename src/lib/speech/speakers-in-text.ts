import type { Segment } from '../transcript-formats/transcript.js';
import type { Span } from './passages.js';
import type { CharacterTime } from './sentences.js';
import type { Turn } from './speech-messages.js';

/** Where words begin in the text of a segment, and when. */
export type WordTimes = ReadonlyMap<Segment, readonly CharacterTime[]>;

/** A speaker must have more than this share of what is spoken in a segment without times of words. */
const MAJORITY = 0.5;

/** Names speakers "Speaker 1" and so on as they first speak; cuts segments where they change, if times are known. */
export function withSpeakers(
  segments: readonly Segment[],
  turns: readonly Turn[],
  words: WordTimes,
): { readonly segments: Segment[]; readonly labels: ReadonlyMap<number, string> } {
  const within = turnsWithin(turns);
  const labels = new Map<number, string>();
  const named = segments
    .flatMap((segment) => partsOf(segment, words.get(segment) ?? [], within(segment)))
    .map(({ segment, speaker }) => {
      if (speaker === null) return segment;
      const label = labels.get(speaker) ?? `Speaker ${labels.size + 1}`;
      labels.set(speaker, label);
      return { ...segment, speaker: label };
    });
  return { segments: named, labels };
}

/** Finds the turns in spans that are asked for in order. */
function turnsWithin(turns: readonly Turn[]): (span: Span) => Turn[] {
  let first = 0;
  return ({ start, end }) => {
    while ((turns[first]?.end ?? Infinity) <= start) first += 1;
    const found: Turn[] = [];
    for (let index = first; (turns[index]?.start ?? Infinity) < end; index++) {
      const turn = turns[index] as Turn;
      if (turn.end > start) found.push(turn);
    }
    return found;
  };
}

function partsOf(
  segment: Segment,
  words: readonly CharacterTime[],
  turns: readonly Turn[],
): { readonly segment: Segment; readonly speaker: number | null }[] {
  if (words.length === 0) return [{ segment, speaker: majorityOf(segment, turns) }];
  const within = (time: number): number =>
    Math.round(Math.min(segment.end, Math.max(segment.start, time)) * 1000) / 1000;
  const begins = words.map(({ position, time }, index) =>
    index === 0 ? { position: 0, time: segment.start } : { position, time: within(time) },
  );
  const speakers = continued(
    begins.map(({ time }, index) => {
      const end = begins[index + 1]?.time ?? segment.end;
      return longestOf({ start: time, end }, turns)?.speaker ?? null;
    }),
  );
  const cuts = begins
    .map((begin, index) => ({ ...begin, speaker: speakers[index] ?? null }))
    .filter(({ speaker }, index) => index === 0 || speaker !== speakers[index - 1]);
  return cuts.map(({ position, time, speaker }, index) => {
    const next = cuts[index + 1];
    const text = segment.text.slice(position, next?.position).trim();
    return { segment: { ...segment, start: time, end: next?.time ?? segment.end, text }, speaker };
  });
}

/** A word between two turns belongs to the one before, the first ones to the one after. */
function continued(speakers: readonly (number | null)[]): (number | null)[] {
  let last = speakers.find((speaker) => speaker !== null) ?? null;
  return speakers.map((speaker) => (last = speaker ?? last));
}

function majorityOf(span: Span, turns: readonly Turn[]): number | null {
  const longest = longestOf(span, turns);
  const total = turns.reduce((sum, turn) => sum + overlap(span, turn), 0);
  return longest && longest.seconds > MAJORITY * total ? longest.speaker : null;
}

function longestOf(span: Span, turns: readonly Turn[]): { speaker: number; seconds: number } | null {
  const sums = new Map<number, number>();
  for (const turn of turns) {
    const seconds = overlap(span, turn);
    if (seconds > 0) sums.set(turn.speaker, (sums.get(turn.speaker) ?? 0) + seconds);
  }
  const [longest] = [...sums].toSorted((one, other) => other[1] - one[1]);
  return longest ? { speaker: longest[0], seconds: longest[1] } : null;
}

const overlap = (one: Span, other: Span): number =>
  Math.max(0, Math.min(one.end, other.end) - Math.max(one.start, other.start));
