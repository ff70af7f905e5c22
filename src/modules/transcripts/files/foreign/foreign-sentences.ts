import type { TranscriptDraft } from '../transcript-files-draft.js';
import { meanShare, type TimedText } from './foreign-segments.js';

export interface Word extends TimedText {
  readonly speaker: string;
  /** 0 to 1, or anything else if unknown. */
  readonly confidence: unknown;
  /** Path of the word in the file. */
  readonly place: string;
  /** Whether it follows the previous one without a space, as punctuation does. */
  readonly attached?: boolean;
}

const SENTENCE_END = /[.?!。？！…]["'”’)\]]*$/;
const UNSPACED = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}]';
const ENDS_UNSPACED = new RegExp(`${UNSPACED}$`, 'u');
const BEGINS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u');
/** A pause after which a new sentence begins, in seconds. */
const PAUSE = 2;
/** Characters after which one begins even without punctuation. */
const LONG = 500;

/** Joins words to sentences: up to a punctuation mark, another speaker, a pause of two seconds, or 500 characters. */
export class Sentences {
  private words: Word[] = [];
  private length = 0;
  private count = 0;

  constructor(private readonly draft: TranscriptDraft) {}

  /** Returns false if there is no room for more. */
  add(word: Word): boolean {
    const last = this.words.at(-1);
    if (last && !word.attached && this.endsBefore(word, last) && !this.end()) return false;
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
    if (!this.draft.hasRoom(this.count, first.place)) return false;
    this.count += 1;
    const segment = {
      start: first.start,
      end: words.reduce((end, word) => Math.max(end, word.end), first.end),
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
      word.start - last.end >= PAUSE ||
      this.length >= LONG ||
      SENTENCE_END.test(last.text)
    );
  }
}

/** Whether the script does not separate words by spaces. */
function isUnspaced(before: string, after: string): boolean {
  return BEGINS_UNSPACED.test(after) && ENDS_UNSPACED.test(before.slice(-2));
}
