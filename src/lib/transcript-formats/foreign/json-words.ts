import type { TranscriptDraft } from '../transcript-draft.js';
import { firstAt, meanShare, memberAt, type Members } from './json-values.js';

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

/** `isAttached` to the previous one without a space, as punctuation is. */
type Word = Said & { readonly isAttached: boolean };

/** Words that are joined, and how long they are. */
interface Sentence {
  readonly words: Word[];
  length: number;
}

const NO_WORD = /[^\p{L}\p{N}]*/uy;
const MARKS = /[.,?!;:。、？！…]$/;
const SENTENCE_END = /[.?!。？！…]["'”’)\]]*$/;
const UNSPACED = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}]';
const ENDS_UNSPACED = new RegExp(`${UNSPACED}$`, 'u');
const BEGINS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u');
/** A pause after which a new sentence begins, in seconds. */
const PAUSE = 2;
/** Characters after which one begins even without punctuation. */
const LONG = 500;

/** Adds words as sentences. `beside`: the object that has them. Returns false if there is no room for more. */
export function addWords(
  said: readonly Said[],
  beside: Members | undefined,
  draft: TranscriptDraft,
): boolean {
  const words = punctuated(said, beside);
  const channels = new Map<unknown, Sentence>();
  const isSpaced = words.some(({ text }) => /^\s/.test(text) || text === '');
  let [isAfterSpace, joinsNext] = [true, false];
  for (const word of words) {
    const text = word.text.trim();
    const { isMark, previous, next } = joinsOf(word.item);
    const isAttached = joinsNext || previous || (isSpaced && !isAfterSpace && !/^\s/.test(word.text));
    isAfterSpace = text === '' || /\s$/.test(word.text);
    if (text === '') continue;
    joinsNext = next;
    const added = { ...word, text, confidence: isMark ? undefined : word.confidence, isAttached };
    let sentence = channels.get(word.channel) ?? { words: [], length: 0 };
    if (endsBefore(added, sentence)) {
      if (!addSentence(sentence, draft)) return false;
      sentence = { words: [], length: 0 };
    }
    channels.set(word.channel, sentence);
    sentence.words.push(added);
    sentence.length += text.length + 1;
  }
  return [...channels.values()].every((sentence) => addSentence(sentence, draft));
}

/** Words with the punctuation of the text beside them, as OpenAI returns it; as they are if they are not its words. */
function punctuated(words: readonly Said[], beside: Members | undefined): readonly Said[] {
  const whole = firstAt(beside, ['text', 'transcript']);
  if (typeof whole !== 'string' || words.some(({ text }) => MARKS.test(text))) return words;
  const starts: number[] = [];
  let at = 0;
  for (const { text } of words) {
    const word = text.trim();
    if (!whole.startsWith(word, at)) {
      NO_WORD.lastIndex = at;
      NO_WORD.exec(whole);
      at = NO_WORD.lastIndex;
    }
    if (word === '' || whole.slice(at, at + word.length).toLowerCase() !== word.toLowerCase()) return words;
    starts.push(at);
    at += word.length;
  }
  return words.map((word, index) => {
    const piece = whole.slice(index === 0 ? 0 : starts[index], starts[index + 1]).trim();
    return { ...word, text: /^\s/.test(word.text) ? ` ${piece}` : piece };
  });
}

/** Whether it is punctuation, and whether it follows the previous word and the next follows it without a space. */
function joinsOf(item: unknown): { isMark: boolean; previous: boolean; next: boolean } {
  const type = memberAt(item, 'type');
  const isMark = typeof type === 'string' && type.startsWith('punct');
  const side = memberAt(item, 'attaches_to') ?? (isMark ? 'previous' : 'none');
  return {
    isMark,
    previous: side === 'previous' || side === 'both',
    next: side === 'next' || side === 'both',
  };
}

/** A sentence ends at a punctuation mark, another speaker, a pause of two seconds, or 500 characters. */
function endsBefore(word: Word, { words, length }: Sentence): boolean {
  const last = words.at(-1);
  if (!last || (word.isAttached && !/[\p{L}\p{N}]/u.test(word.text))) return false;
  const pause = word.start - (last.end ?? last.start);
  return word.speaker !== last.speaker || pause >= PAUSE || length >= LONG || SENTENCE_END.test(last.text);
}

/** Returns false if there was no room for it. */
function addSentence({ words }: Sentence, draft: TranscriptDraft): boolean {
  const { start, speaker, place } = words[0]!;
  if (!draft.hasRoom(place)) return false;
  let end: number | null = null;
  let text = '';
  for (const word of words) {
    end = word.end === null ? null : Math.max(end ?? start, word.end);
    text += (word.isAttached || isUnspaced(text, word.text) ? '' : ' ') + word.text;
  }
  const confidence = meanShare(words.map((word) => word.confidence)) ?? 1;
  draft.add({ start, end, text, speaker, confidence }, () => place);
  return true;
}

/** Whether the script does not separate words by spaces. */
const isUnspaced = (before: string, after: string): boolean =>
  BEGINS_UNSPACED.test(after) && ENDS_UNSPACED.test(before.slice(-2));
