/** Position of a part of a quote: characters `start` to `end` of the text at `index`. */
interface QuotedRange {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

interface Comparable {
  /** Letters and digits without case, accents and apostrophes; everything else is one space. */
  readonly text: string;
  /** The origin of each of its characters. */
  readonly from: QuotedRange[];
}

/** Shorter quotes occur anywhere and prove nothing: they must match a whole text. */
const MIN_WORDS = 3;
const MIN_CHARACTERS = 12;
const WORD = /[\p{L}\p{N}]/u;
const IGNORED = /[\p{M}\p{Cf}'’‘ʼ`´]/u;
/** Scripts without spaces between words: a quote may begin and end anywhere. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Finds a quote that begins in the first text, ignoring spaces, case, accents and punctuation; null if absent. */
function findQuote(quote: string, texts: readonly string[]): QuotedRange[] | null {
  const wanted = comparable([quote]).text.trim();
  const [first] = texts;
  if (!wanted || first === undefined) return null;
  if (isTooShort(wanted)) {
    if (comparable([first]).text.trim() !== wanted) return null;
    return [{ index: 0, start: first.length - first.trimStart().length, end: first.trimEnd().length }];
  }
  const given = comparable(texts);
  const ofFirst = given.from.findLastIndex(({ index }) => index === 0);
  let at = given.text.indexOf(wanted);
  for (; at !== -1 && at <= ofFirst; at = given.text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const isWhole = isBorder(given.text, at) && isBorder(given.text, end);
    if (isWhole) return ranges(given.from.slice(at, end), texts);
  }
  return null;
}

function comparable(texts: readonly string[]): Comparable {
  const characters: string[] = [];
  const from: QuotedRange[] = [];
  for (const [index, text] of texts.entries()) {
    let start = 0;
    if (index > 0) add(' ', { index, start: 0, end: 0 });
    for (const character of text) {
      const range = { index, start, end: start + character.length };
      start = range.end;
      for (const one of compared(character)) add(one, range);
    }
  }
  return { text: characters.join(''), from };

  function add(character: string, range: QuotedRange): void {
    if (character === ' ' && (characters.at(-1) ?? ' ') === ' ') return;
    for (const unit of character.split('')) {
      characters.push(unit);
      from.push(range);
    }
  }
}

/** Lookup table, as most characters are ASCII and a malicious reply may contain many quotes to check. */
const ASCII = Array.from({ length: 128 }, (_, code) => comparedAny(String.fromCharCode(code)));

const compared = (character: string): string => ASCII[character.charCodeAt(0)] ?? comparedAny(character);

function comparedAny(character: string): string {
  return Array.from(character.normalize('NFKD').toLowerCase())
    .filter((one) => !IGNORED.test(one))
    .map((one) => (WORD.test(one) ? one : ' '))
    .join('');
}

function isBorder(text: string, at: number): boolean {
  const [before, after] = [text[at - 1] ?? ' ', text[at] ?? ' '];
  return before === ' ' || after === ' ' || SPACELESS.test(before) || SPACELESS.test(after);
}

function isTooShort(wanted: string): boolean {
  if (SPACELESS.test(wanted)) return wanted.length < MIN_CHARACTERS / 2;
  return wanted.length < MIN_CHARACTERS && wanted.split(' ').length < MIN_WORDS;
}

/** One range per text, including adjacent punctuation. */
function ranges(characters: readonly QuotedRange[], texts: readonly string[]): QuotedRange[] {
  const found = new Map<number, QuotedRange>();
  for (const { index, start, end } of characters)
    if (end > start) found.set(index, { index, start: found.get(index)?.start ?? start, end });
  return [...found.values()].map((range) => withPunctuation(range, texts[range.index] ?? ''));
}

function withPunctuation({ index, start, end }: QuotedRange, text: string): QuotedRange {
  const before = /[\p{Ps}\p{Pi}"'¿¡]+$/u.exec(text.slice(Math.max(0, start - 10), start))?.[0].length ?? 0;
  const after = /^[\p{Po}\p{Pe}\p{Pf}\p{M}]+/u.exec(text.slice(end, end + 10))?.[0].length ?? 0;
  return { index, start: start - before, end: end + after };
}

interface Spoken {
  readonly id: number;
  readonly speaker: string;
  readonly text: string;
}

/** Captions split sentences: a quote may continue in the next segments of the same speaker, this many in total. */
const MAX_SEGMENTS = 4;
/** Length of the part of a quote that is searched for. */
const MAX_CHARACTERS = 1_000;

/** The segments of a quote that begins in the one at `place`, each with its part, verbatim; none if it is not there. */
export function quotedSegments<Segment extends Spoken>(
  quote: string,
  segments: readonly Segment[],
  place: number,
): { readonly segment: Segment; readonly words: string }[] {
  const turn = turnFrom(segments, place);
  const wanted = quote.slice(0, MAX_CHARACTERS);
  // A quote ends within about its own length, however long the segments are.
  const reach = 2 * MAX_CHARACTERS;
  const found = findQuote(
    wanted,
    turn.map(({ text }, index) => (index === 0 ? text : text.slice(0, reach))),
  );
  return (found ?? []).flatMap(({ index, start, end }) => {
    const segment = turn[index];
    return segment ? [{ segment, words: segment.text.slice(start, end) }] : [];
  });
}

function turnFrom<Segment extends Spoken>(segments: readonly Segment[], place: number): Segment[] {
  const near = segments.slice(place, place + MAX_SEGMENTS);
  const other = near.findIndex(
    ({ id, speaker }, index) => speaker !== near[0]?.speaker || id !== (near[0]?.id ?? 0) + index,
  );
  return other === -1 ? near : near.slice(0, other);
}
