/** Models that lose track repeat themselves: how many times in a row, for a phrase of 1, 2, 3, ... words. */
const LOOPED = [6, 4, 4, 3, 3, 3, 3, 2];
const LONGEST_PHRASE = 40;
/** If loops make up more than this share of the words, the rest is no better. */
const MAX_LOOPED = 0.5;

/** The text with each loop reduced to one of its repetitions; empty if it is mostly loops. */
export function withoutLoops(text: string): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const keys = words.map(plain);
  const kept: string[] = [];
  for (let place = 0; place < words.length;) {
    const { length, times } = loopAt(keys, place);
    kept.push(...words.slice(place, place + length));
    place += length * times;
  }
  if (kept.length === words.length) return text;
  return kept.length < (1 - MAX_LOOPED) * words.length ? '' : kept.join(' ');
}

/** The words of a phrase, and how often it is there in a row; of those that are not loops, one word. */
function loopAt(keys: readonly string[], place: number): { length: number; times: number } {
  for (let length = 1; length <= LONGEST_PHRASE && place + 2 * length <= keys.length; length++) {
    let end = place + length;
    while (end < keys.length && keys[end] === keys[end - length]) end += 1;
    const times = Math.floor((end - place) / length);
    if (times >= (LOOPED[length - 1] ?? LOOPED.at(-1)!)) return { length, times };
  }
  return { length: 1, times: 1 };
}

/** How many segments in a row must say the same, and how many words each must have, to count as repetition. */
const ECHO = { times: 3, words: 2 } as const;

interface Said {
  readonly text: string;
  readonly speaker: string;
}

/** Leaves out segments that only repeat the one before, which models do in noise. */
export function withoutEchoes<Segment extends Said>(segments: readonly Segment[]): Segment[] {
  const kept: Segment[] = [];
  for (let place = 0; place < segments.length;) {
    const first = segments[place] as Segment;
    let end = place + 1;
    while (end < segments.length && repeatsSegment(segments[end] as Segment, first)) end += 1;
    const isEcho = end - place >= ECHO.times && first.text.trim().split(/\s+/).length >= ECHO.words;
    kept.push(...(isEcho ? [first] : segments.slice(place, end)));
    place = end;
  }
  return kept;
}

/** Several people may well say the same, such as a greeting. */
const repeatsSegment = (one: Said, other: Said): boolean =>
  one.speaker === other.speaker && plain(one.text) === plain(other.text);

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s]/gu, '')
    .trim();
