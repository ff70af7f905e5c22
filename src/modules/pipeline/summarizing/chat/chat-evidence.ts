import { quotedSegments } from '../../../../lib/language/quoted-segments.js';
import type { Lexemes } from '../../../../lib/extractive-summary/extractive-words.js';
import type { SummarySource } from '../../../../lib/extractive-summary/summary.js';
import type { SpokenSegment } from '../../../../lib/transcript-formats/transcript.js';
import { containsWords, numbersIn, plainWords } from './chat-words.js';

/** Seconds before and after a segment that count as near, and the most segments in either direction. */
const NEAR = 60;
const MOST_NEAR = 50;
/** Surroundings in memory; an item cites few places. */
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
  readonly segments: readonly SpokenSegment[];
  readonly words: string;
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

  /** The share of `stems` that was said near the segment at `place`. */
  shareNear(place: number, stems: ReadonlySet<string>): number {
    const near = this.near(place);
    return stems.size === 0 ? 0 : [...stems].filter((stem) => near.stems.has(stem)).length / stems.size;
  }

  /** Whether all numbers of a text were said near the segment at `place`. */
  hasNumbersNear(place: number, text: string): boolean {
    return !this.hasNumbers || numbersIn(text).every((number) => this.near(place).numbers.has(number));
  }

  /** Whether exactly these words were said near the segment at `place`. */
  hasWordsNear(place: number, text: string): boolean {
    return containsWords(this.near(place).words, plainWords(text));
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

  /** The words of the transcript that a quote matches and that begin at `place`; null if there are none. */
  quoteAt(place: number, quote: string): FoundQuote | null {
    const found = quotedSegments(quote, this.segments, place);
    if (found.length === 0) return null;
    return {
      segments: found.map(({ segment }) => segment),
      words: plainWords(found.map(({ words }) => words).join(' ')),
    };
  }

  private near(place: number): Surroundings {
    const known = this.surroundings.get(place);
    if (known) return known;
    const [from, to] = this.reach(place);
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
    this.surroundings.set(place, near);
    return near;
  }

  private reach(place: number): [from: number, to: number] {
    const { segments } = this;
    const { start, end } = segments[place]!;
    let [from, to] = [place, place + 1];
    while (from > 0 && place - from < MOST_NEAR && segments[from - 1]!.end >= start - NEAR) from -= 1;
    while (to < segments.length && to - place <= MOST_NEAR && segments[to]!.start <= end + NEAR) to += 1;
    return [from, to];
  }
}
