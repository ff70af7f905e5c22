/** Position of a part of a quote: characters `start` to `end` of the text at `index`. */
export interface QuotedRange {
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

/**
 * Finds a quote in consecutive texts: it begins in the first and may continue in the next ones. Spaces, case, accents
 * and punctuation are ignored; words are not. Null if it is not found.
 */
export function findQuote(quote: string, texts: readonly string[]): QuotedRange[] | null {
  const wanted = comparable([quote]).text.trim();
  const [first] = texts;
  if (!wanted || first === undefined) return null;
  if (isTooShort(wanted)) {
    if (comparable([first]).text.trim() !== wanted) return null;
    return [{ index: 0, start: first.length - first.trimStart().length, end: first.trimEnd().length }];
  }
  const given = comparable(texts);
  const ofFirst = given.from.findLastIndex(({ index }) => index === 0);
  for (
    let at = given.text.indexOf(wanted);
    at !== -1 && at <= ofFirst;
    at = given.text.indexOf(wanted, at + 1)
  ) {
    const end = at + wanted.length;
    if (isBorder(given.text, at) && isBorder(given.text, end))
      return ranges(given.from.slice(at, end), texts);
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

function compared(character: string): string {
  return ASCII[character.charCodeAt(0)] ?? comparedAny(character);
}

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
  for (const { index, start, end } of characters) {
    if (end > start) found.set(index, { index, start: found.get(index)?.start ?? start, end });
  }
  return [...found.values()].map((range) => withPunctuation(range, texts[range.index] ?? ''));
}

function withPunctuation({ index, start, end }: QuotedRange, text: string): QuotedRange {
  const before = /[\p{Ps}\p{Pi}"'¿¡]+$/u.exec(text.slice(Math.max(0, start - 10), start))?.[0].length ?? 0;
  const after = /^[\p{Po}\p{Pe}\p{Pf}\p{M}]+/u.exec(text.slice(end, end + 10))?.[0].length ?? 0;
  return { index, start: start - before, end: end + after };
}
