import { oneLine } from './transcript-files-text.js';
import type { TranscriptWriter } from './transcript-writing.js';

/** How a text format shows speakers. */
export interface ParagraphStyle {
  /** The beginning of a paragraph, including the space after it; `speaker` may be empty. */
  readonly opening: (speaker: string, start: number) => string;
  readonly escape: (text: string) => string;
}

/** Characters after which the next segment begins a new paragraph, with its time. */
const LONG = 1_000;

/**
 * Writes segments as paragraphs: consecutive ones of a speaker are joined, up to a length that keeps times easy to find.
 * A paragraph is never held in memory as a whole.
 */
export function paragraphs({ opening, escape }: ParagraphStyle): TranscriptWriter['batch'] {
  return (segments, state) => {
    let piece = '';
    for (const { speaker, start, text } of segments) {
      const [name, said] = [oneLine(speaker), oneLine(text)];
      if (name !== state.speaker || state.length >= LONG) {
        piece += `${state.speaker === null ? '' : '\n\n'}${opening(name, start)}`;
        state.length = 0;
      } else piece += ' ';
      piece += escape(said);
      state.length += said.length;
      state.speaker = name;
    }
    return piece;
  };
}
