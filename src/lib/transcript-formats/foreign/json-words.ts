import type { TranscriptDraft } from '../transcript-draft.js';
import { meanShare, timedTextOf, type SegmentShape, type TimedText } from './json-segments.js';

/** Who said a word. */
export interface WordLabel {
  readonly speaker: string;
  /** 0 to 1, or anything else if unknown. */
  readonly confidence: unknown;
  /** Whether it follows the previous one without a space, as punctuation does. */
  readonly attached?: boolean;
  /** Words of several channels are joined apart from each other. */
  readonly channel?: unknown;
}

type Word = WordLabel & TimedText & { readonly place: string };

const SENTENCE_END = /[.?!。？！…]["'”’)\]]*$/;
const UNSPACED = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}]';
const ENDS_UNSPACED = new RegExp(`${UNSPACED}$`, 'u');
const BEGINS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u');
/** A pause after which a new sentence begins, in seconds. */
const PAUSE = 2;
/** Characters after which one begins even without punctuation. */
const LONG = 500;

/** Adds words as sentences, but those for which `labelOf` returns null. One without times is said with the last. */
export function readWords(
  items: readonly unknown[],
  path: string,
  shape: SegmentShape,
  draft: TranscriptDraft,
  labelOf: (item: unknown) => WordLabel | null,
): void {
  const channels = new Map<unknown, Sentences>();
  let before: TimedText = { start: 0, end: 0, text: '' };
  for (const [index, item] of items.entries()) {
    const label = labelOf(item);
    if (!label) continue;
    const place = `${path}[${index}]`;
    const said: TimedText | null = timedTextOf(item, place, shape, draft, before);
    if (!said) continue;
    before = said;
    const sentences = channels.get(label.channel) ?? new Sentences(draft);
    channels.set(label.channel, sentences);
    if (!sentences.add({ ...said, text: said.text.trim(), ...label, place })) return;
  }
  for (const sentences of channels.values()) if (!sentences.end()) return;
}

/** Joins words to sentences: up to a punctuation mark, another speaker, a pause of two seconds, or 500 characters. */
class Sentences {
  private words: Word[] = [];
  private length = 0;

  constructor(private readonly draft: TranscriptDraft) {}

  /** Returns false if there is no room for more. */
  add(word: Word): boolean {
    const last = this.words.at(-1);
    const isMark = word.attached && !/[\p{L}\p{N}]/u.test(word.text);
    if (last && !isMark && this.endsBefore(word, last) && !this.end()) return false;
    this.words.push(word);
    this.length += word.text.length + 1;
    return true;
  }

  /** Ends the current sentence. Returns false if there was no room for it. */
  end(): boolean {
    const [first] = this.words;
    if (!first) return true;
    const { words } = this;
    [this.words, this.length] = [[], 0];
    if (!this.draft.hasRoom(first.place)) return false;
    const segment = {
      start: first.start,
      end: words.reduce<number | null>(
        (to, { end }) => (end === null ? null : Math.max(to ?? first.start, end)),
        null,
      ),
      text: words.reduce(
        (said, { text, attached }) => said + (attached || isUnspaced(said, text) ? '' : ' ') + text,
        '',
      ),
      speaker: first.speaker,
      confidence: meanShare(words.map(({ confidence }) => confidence)) ?? 1,
    };
    this.draft.add(segment, () => first.place);
    return true;
  }

  private endsBefore(word: Word, last: Word): boolean {
    return (
      word.speaker !== last.speaker ||
      word.start - (last.end ?? last.start) >= PAUSE ||
      this.length >= LONG ||
      SENTENCE_END.test(last.text)
    );
  }
}

/** Whether the script does not separate words by spaces. */
function isUnspaced(before: string, after: string): boolean {
  return BEGINS_UNSPACED.test(after) && ENDS_UNSPACED.test(before.slice(-2));
}
