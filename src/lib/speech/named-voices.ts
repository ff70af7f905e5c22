import type { SpeakerVoice } from './speech-messages.js';

/** A voice that somebody has named; those of the same name, in any case, are one person's. */
export interface NamedVoice extends Pick<SpeakerVoice, 'seconds' | 'embedding'> {
  readonly name: string;
}

export interface NameSuggestion {
  readonly name: string;
  /** Cosine of the angle between the voice and the person's, up to 1. */
  readonly confidence: number;
}

/** Common thresholds for the same person are 0.5 (sherpa-onnx) to 0.7 (NeMo). If the two best matches are closer than the lead, neither is suggested. */
const LEAST = { confidence: 0.6, lead: 0.05 } as const;

/** Says for each voice of a meeting whose it probably is; null for those like nobody's, or like two people's. */
export function suggestNames(
  voices: readonly Pick<SpeakerVoice, 'embedding'>[],
  named: readonly NamedVoice[],
): (NameSuggestion | null)[] {
  const people = new Map<string, { readonly name: string; readonly sum: Float32Array }>();
  for (const { name, seconds, embedding } of named) {
    const person = people.get(name.toLowerCase()) ?? { name, sum: new Float32Array(embedding.length) };
    people.set(name.toLowerCase(), person);
    for (const [index, value] of embedding.entries())
      person.sum[index] = (person.sum[index] ?? 0) + seconds * value;
  }
  // Opposite voices of one name have no direction.
  const known = [...people.values()].map((person) => ({ ...person, length: Math.hypot(...person.sum) || 1 }));
  const likeliest = voices.map(({ embedding }) => {
    const [best, second] = known
      .map(({ name, sum, length }) => ({ name, confidence: dot(sum, embedding) / length }))
      .toSorted((one, other) => other.confidence - one.confidence);
    if (!best || best.confidence < LEAST.confidence) return null;
    return best.confidence - (second?.confidence ?? -1) < LEAST.lead ? null : best;
  });
  // Nobody is two speakers.
  const isNobodyElse = ({ name, confidence }: NameSuggestion, other: NameSuggestion | null): boolean =>
    other?.name !== name || other.confidence < confidence;
  return likeliest.map((one) =>
    one && likeliest.every((other) => other === one || isNobodyElse(one, other)) ? one : null,
  );
}

/** A plain loop: there may be thousands of people. */
function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}
