import type { Weighed } from './extractive-words.js';

const DAMPING = 0.85;
const ROUNDS = 25;
/** Weight of similarity to the same speaker's other sentences; agreement of others counts in full. */
const OTHER_SPEAKER = 0.5;

/**
 * TextRank: a sentence is central if central sentences are similar to it. Returns the rank of each, 1 on average. The
 * similarities of pairs are never stored; they are summed per word, so that a round takes linear time.
 */
export function textRank(said: readonly Weighed[]): number[] {
  const degrees = linked(
    said,
    said.map(() => 1),
  );
  let ranks = said.map(() => 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    const given = ranks.map((rank, index) => (degrees[index]! > 1e-9 ? rank / degrees[index]! : 0));
    const received = linked(said, given);
    ranks = received.map((sum) => 1 - DAMPING + DAMPING * sum);
  }
  return ranks;
}

/** Returns, for each sentence, the sum of the `values` of all others, weighted by similarity. */
function linked(said: readonly Weighed[], values: readonly number[]): number[] {
  const all = new Map<string, number>();
  const bySpeaker = new Map<string, Map<string, number>>();
  said.forEach(({ sentence, vector }, index) => {
    let own = bySpeaker.get(sentence.speaker);
    if (!own) bySpeaker.set(sentence.speaker, (own = new Map()));
    for (const [stem, weight] of vector) {
      const part = weight * values[index]!;
      all.set(stem, (all.get(stem) ?? 0) + part);
      own.set(stem, (own.get(stem) ?? 0) + part);
    }
  });
  return said.map(({ sentence, vector }, index) => {
    const own = bySpeaker.get(sentence.speaker)!;
    let [total, same, itself] = [0, 0, 0];
    for (const [stem, weight] of vector) {
      total += weight * all.get(stem)!;
      same += weight * own.get(stem)!;
      itself += weight * weight * values[index]!;
    }
    return Math.max((1 + OTHER_SPEAKER) * total - OTHER_SPEAKER * same - itself, 0);
  });
}
