import type { Voice } from './mixed-voices.js';
import { MAX_TURNS, type Turn } from './speech-messages.js';

/** Cosine of the angle between two voices of the same person, at least. */
const ALIKE = 0.5;
/** Whoever speaks for less than so many seconds is not named: a wrong name is worse than none. */
const LEAST_SECONDS = 2;
/** Nobody tells more apart. */
const MOST_SPEAKERS = 50;

interface Group {
  readonly voices: Voice[];
  seconds: number;
  /** Sum of what is characteristic of the voices, by how long they speak. */
  readonly sum: Float32Array;
}

/** Joins voices that are alike, and returns who speaks when, in order. */
export function turnsOf(voices: readonly Voice[]): Turn[] {
  const groups: Group[] = [];
  // The longest are known best.
  for (const voice of voices.toSorted((one, other) => other.seconds - one.seconds)) {
    const likeness = groups.map(({ sum }) => cosine(sum, voice.embedding));
    const best = Math.max(...likeness);
    const known = best >= ALIKE ? groups[likeness.indexOf(best)] : undefined;
    const group = known ?? { voices: [], seconds: 0, sum: new Float32Array(voice.embedding.length) };
    if (!known) groups.push(group);
    add(voice, group);
  }
  return groups
    .filter(({ seconds }) => seconds >= LEAST_SECONDS)
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, MOST_SPEAKERS)
    .flatMap((group, speaker) =>
      group.voices.flatMap(({ spans }) => spans.map((span) => ({ ...span, speaker }))),
    )
    .toSorted((one, other) => one.start - other.start)
    .slice(0, MAX_TURNS);
}

function add(voice: Voice, group: Group): void {
  group.voices.push(voice);
  group.seconds += voice.seconds;
  voice.embedding.forEach((value, index) => {
    group.sum[index] = (group.sum[index] ?? 0) + voice.seconds * value;
  });
}

function cosine(sum: Float32Array, embedding: Float32Array): number {
  const dot = sum.reduce((total, value, index) => total + value * (embedding[index] ?? 0), 0);
  return dot / Math.hypot(...sum);
}
