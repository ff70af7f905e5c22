import type { TranscriptDraft } from '../transcript-draft.js';
import { meanShare } from './json-labels.js';

/** What is said at a time. */
export interface Said {
  readonly start: number;
  /** Null if the file does not say when it ends. */
  readonly end: number | null;
  readonly text: string;
  readonly speaker: string;
  readonly confidence: number | undefined;
  /** Words of several channels are joined apart from each other. */
  readonly channel: unknown;
  readonly place: string;
  readonly item: unknown;
}

/** `attached` to the previous one without a space, as punctuation is. */
type Word = Said & { readonly attached: boolean };

const SENTENCE_END = /[.?!。？！…]["'”’)\]]*$/;
const UNSPACED = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}]';
const ENDS_UNSPACED = new RegExp(`${UNSPACED}$`, 'u');
const BEGINS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u');
/** A pause after which a new sentence begins, in seconds. */
const PAUSE = 2;
/** Characters after which one begins even without punctuation. */
const LONG = 500;

/** Adds words as sentences. Returns false if there is no room for more. */
export function addWords(words: readonly Said[], draft: TranscriptDraft): boolean {
  const channels = new Map<unknown, Sentences>();
  const isSpaced = words.some(({ text }) => /^\s/.test(text) || text === '');
  let [space, joinsNext] = [true, false];
  for (const word of words) {
    const text = word.text.trim();
    const { isMark, previous, next } = joinsOf(word.item);
    const attached = joinsNext || previous || (isSpaced && !space && !/^\s/.test(word.text));
    space = text === '' || /\s$/.test(word.text);
    if (text === '') continue;
    joinsNext = next;
    const sentences = channels.get(word.channel) ?? new Sentences(draft);
    channels.set(word.channel, sentences);
    const confidence = isMark ? undefined : word.confidence;
    if (!sentences.add({ ...word, text, confidence, attached })) return false;
  }
  return [...channels.values()].every((sentences) => sentences.end());
}

/** Whether it is punctuation, and whether it follows the previous word and the next follows it without a space. */
function joinsOf(item: unknown): { isMark: boolean; previous: boolean; next: boolean } {
  const { type, attaches_to: to } = item as { type?: unknown; attaches_to?: unknown };
  const isMark = typeof type === 'string' && type.startsWith('punct');
  const side = to ?? (isMark ? 'previous' : 'none');
  return {
    isMark,
    previous: side === 'previous' || side === 'both',
    next: side === 'next' || side === 'both',
  };
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
