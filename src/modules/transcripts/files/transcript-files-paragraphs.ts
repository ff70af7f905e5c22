import { oneLine } from './transcript-files-text.js';
import type { TranscriptWriter } from './transcript-writing.js';

/** How a kind of text shows speakers. */
export interface ParagraphStyle {
  /** What begins a paragraph, with the blank behind it; `speaker` may be empty. */
  readonly opening: (speaker: string, start: number) => string;
  readonly escape: (text: string) => string;
}

/** Characters after which the next segment begins a paragraph of its own, with its time. */
const LONG = 1_000;

/**
 * Segments as paragraphs: those of one speaker that follow each other are joined, up to a length in which a time is still
 * found. A paragraph is never held as a whole.
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
