/** Random speech from a seed: the same words in every run. */

const VOCABULARY = 50_000;
/** Size of the table that words are drawn from. */
const DRAWS = 1 << 20;
const SYLLABLES =
  'ba be bo da de do fa fe go ha jo ka ke ko la le lo ma me mo na ne no pa pe po ra re ro sa se so ta te to va vo wa we zo'.split(
    ' ',
  );

/** A generator of numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The word of this `rank`, 0 for the most frequent one. Words are unique, and frequent ones are short. */
export function wordOf(rank) {
  let word = '';
  let rest = rank + SYLLABLES.length;
  while (rest > 0) {
    word += SYLLABLES[rest % SYLLABLES.length];
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return `${word}x`;
}

/** Draws words by Zipf's law: the word of rank `r` is `r + 1` times rarer than the most frequent one. */
export function speech(random) {
  const words = Array.from({ length: VOCABULARY }, (_, rank) => wordOf(rank));
  const total = words.reduce((sum, _, rank) => sum + 1 / (rank + 1), 0);
  const ranks = new Uint16Array(DRAWS);
  let drawn = 0;
  let share = 0;
  for (let rank = 0; rank < VOCABULARY; rank += 1) {
    share += 1 / (rank + 1) / total;
    for (const end = Math.round(share * DRAWS); drawn < end; drawn += 1) ranks[drawn] = rank;
  }
  return (count) => {
    let text = words[ranks[Math.floor(random() * DRAWS)]];
    for (let n = 1; n < count; n += 1) text += ` ${words[ranks[Math.floor(random() * DRAWS)]]}`;
    return text;
  };
}
