import { quotedSegments } from '../../../../lib/language/quoted-segments.js';
import type { Lexemes } from '../../../../lib/extractive-summary/extractive-words.js';
import type { SummarySource } from '../../../../lib/extractive-summary/summary.js';
import type { SpokenSegment } from '../../../../lib/transcript-formats/transcript.js';

/** Seconds before and after a segment that count as near, and the most segments in either direction. */
const NEAR = 60;
const MOST_NEAR = 50;
/** Surroundings in memory; an item cites few segments. */
const KEPT = 100;
/** Mostly stop words that PostgreSQL does not know, in any language that is written with an alphabet. */
const SHORT = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]{1,3}$/u;

/** What was said near a segment. */
interface Surroundings {
  /** Of what was said and of the names of those who spoke. */
  readonly stems: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  readonly words: string;
}

export interface FoundQuote {
  readonly segments: readonly [SpokenSegment, ...SpokenSegment[]];
  /** Verbatim from the transcript. */
  readonly text: string;
}

/** What the claims of a model are checked against: the transcript, word by word. */
export class Evidence {
  private readonly surroundings = new Map<number, Surroundings>();

  private constructor(
    private readonly source: SummarySource,
    private readonly lexemes: Lexemes,
    private readonly stems: readonly (readonly string[])[],
    private readonly speakerStems: ReadonlyMap<string, readonly string[]>,
    /** Otherwise numbers were transcribed as words, and those of a claim cannot be compared. */
    private readonly hasNumbers: boolean,
  ) {}

  static async of(source: SummarySource, lexemes: Lexemes): Promise<Evidence> {
    const { segments, speakers } = source;
    const stems = await lexemes(segments.map(({ text }) => text));
    const names = await lexemes(speakers);
    return new Evidence(
      source,
      lexemes,
      stems,
      new Map(speakers.map((speaker, index) => [speaker, names[index] ?? []])),
      segments.some(({ text }) => numbersIn(text).length > 0),
    );
  }

  get segments(): readonly SpokenSegment[] {
    return this.source.segments;
  }

  /** The words that carry meaning of each text, as stems. */
  async stemsOf(texts: readonly string[]): Promise<ReadonlySet<string>[]> {
    const found = await this.lexemes(texts);
    return found.map((stems) => {
      const longer = stems.filter((stem) => !SHORT.test(stem));
      return new Set(longer.length > 0 ? longer : stems);
    });
  }

  /** The share of `stems` that was said near the segment at `position`. */
  shareNear(position: number, stems: ReadonlySet<string>): number {
    const near = this.near(position);
    return stems.size === 0 ? 0 : [...stems].filter((stem) => near.stems.has(stem)).length / stems.size;
  }

  /** Whether all numbers of a text were said near the segment at `position`. */
  hasNumbersNear(position: number, text: string): boolean {
    return !this.hasNumbers || numbersIn(text).every((number) => this.near(position).numbers.has(number));
  }

  /** Whether exactly these words were said near the segment at `position`. */
  hasWordsNear(position: number, text: string): boolean {
    return containsWords(this.near(position).words, plainWords(text));
  }

  /** The label of the only speaker whom a name can mean; null if there is none. */
  speakerOf(name: string): string | null {
    const wanted = plainWords(name);
    if (!wanted) return null;
    const { speakers } = this.source;
    const same = speakers.find((speaker) => plainWords(speaker) === wanted);
    if (same !== undefined) return same;
    const meant = speakers.filter((speaker) => containsWords(plainWords(speaker), wanted));
    return meant.length === 1 ? meant[0]! : null;
  }

  /** Finds the words of the transcript that a quote matches and that begin at `position`. */
  quoteAt(position: number | undefined, quote: string): FoundQuote | null {
    const [first, ...more] = position === undefined ? [] : quotedSegments(quote, this.segments, position);
    if (!first) return null;
    const text = [first, ...more].map(({ words }) => words).join(' ');
    return { segments: [first.segment, ...more.map(({ segment }) => segment)], text };
  }

  positionsOf(ids: ReadonlySet<number>): ReadonlyMap<number, number> {
    const positions = this.segments.map(({ id }, position) => [id, position] as const);
    return new Map(positions.filter(([id]) => ids.has(id)));
  }

  private near(position: number): Surroundings {
    const known = this.surroundings.get(position);
    if (known) return known;
    const [from, to] = this.reach(position);
    const segments = this.segments.slice(from, to);
    const speakers = new Set(segments.map(({ speaker }) => speaker));
    const near = {
      stems: new Set([
        ...this.stems.slice(from, to).flat(),
        ...[...speakers].flatMap((speaker) => this.speakerStems.get(speaker) ?? []),
      ]),
      numbers: new Set(segments.flatMap(({ text }) => numbersIn(text))),
      words: segments.map(({ text }) => plainWords(text)).join(' '),
    };
    if (this.surroundings.size >= KEPT) this.surroundings.clear();
    this.surroundings.set(position, near);
    return near;
  }

  private reach(position: number): [from: number, to: number] {
    const { segments } = this;
    const { start, end } = segments[position]!;
    let [from, to] = [position, position + 1];
    while (from > 0 && position - from < MOST_NEAR && segments[from - 1]!.end >= start - NEAR) from -= 1;
    while (to < segments.length && to - position <= MOST_NEAR && segments[to]!.start <= end + NEAR) to += 1;
    return [from, to];
  }
}

/** A number as it is written, with what separates its digits: `10,000`, `1.5`, `10:30`. */
const NUMBER = /\p{Nd}+(?:[.,:'’]\p{Nd}+)*/gu;
/** Scripts without spaces between words, or with particles that follow a word without one. */
const NOT_APART =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Numbers below ten are spelled out too often to be compared. */
const LEAST_DIGITS = 2;

/** Words without case, accents and punctuation, one space apart. */
export const plainWords = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\p{Cf}'’]+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Whether plain words occur in a plain text, as whole words where words are written apart. */
export function containsWords(text: string, words: string): boolean {
  if (words === '') return false;
  return NOT_APART.test(words) ? text.includes(words) : ` ${text} `.includes(` ${words} `);
}

/** The numbers of a text that have at least two digits, as digits. */
export const numbersIn = (text: string): string[] =>
  [...text.matchAll(NUMBER)]
    .map(([number]) => number.replace(/\P{Nd}/gu, ''))
    .filter((digits) => digits.length >= LEAST_DIGITS);
