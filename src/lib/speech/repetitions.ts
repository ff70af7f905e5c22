/** Models that lose track repeat themselves: a phrase of so many words, at least so many times in a row. */
const LOOPS = [
  { words: 1, times: 6 },
  { words: 2, times: 4 },
  { words: 3, times: 4 },
  { words: 4, times: 3 },
  { words: 5, times: 3 },
  { words: 6, times: 3 },
  { words: 7, times: 3 },
  { words: 8, times: 2 },
] as const;
/** Longer phrases are not looked for. */
const LONGEST_PHRASE = 40;
/** If loops make up more than this share of the words, the rest is no better. */
const MAX_LOOPED = 0.5;

/** The text with each loop reduced to one of its repetitions; empty if it is mostly loops. */
export function withoutLoops(text: string): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const keys = words.map(plain);
  const kept: string[] = [];
  for (let place = 0; place < words.length;) {
    const loop = loopAt(keys, place);
    const length = loop?.words ?? 1;
    kept.push(...words.slice(place, place + length));
    place += loop ? loop.words * loop.times : 1;
  }
  if (kept.length === words.length) return text;
  return kept.length < (1 - MAX_LOOPED) * words.length ? '' : kept.join(' ');
}

interface Loop {
  readonly words: number;
  readonly times: number;
}

function loopAt(keys: readonly string[], place: number): Loop | null {
  for (let words = 1; words <= LONGEST_PHRASE && place + 2 * words <= keys.length; words++) {
    let times = 1;
    while (repeats(keys, place, words, times)) times += 1;
    if (times >= (LOOPS[Math.min(words, LOOPS.length) - 1] as Loop).times) return { words, times };
  }
  return null;
}

/** Whether the phrase at `place` occurs once more after `times` occurrences. */
function repeats(keys: readonly string[], place: number, words: number, times: number): boolean {
  const next = place + words * times;
  if (next + words > keys.length) return false;
  for (let index = 0; index < words; index++) {
    if (keys[place + index] !== keys[next + index]) return false;
  }
  return true;
}

/** Segments that follow each other and say the same at least so many times in a row, if they have so many words. */
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
