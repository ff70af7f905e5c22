import type { TranscriptSegment } from './entities/transcript-chunk.entity.js';
import { oneLine } from './transcript-files-text.js';

/** How a kind of text shows speakers. */
export interface ParagraphStyle {
  /** What begins a paragraph, with the blank behind it; `speaker` may be empty. */
  readonly opening: (speaker: string, start: number) => string;
  readonly escape: (text: string) => string;
}

/** Characters after which the next segment begins a paragraph of its own, with its time. */
const LONG = 1_000;

/**
 * Segments as paragraphs: those of one speaker that follow each other are joined, up to a length in which a time is still found. A paragraph is never
 * held as a whole.
 */
export async function* paragraphsOf(
  batches: AsyncIterable<readonly TranscriptSegment[]>,
  { opening, escape }: ParagraphStyle,
): AsyncGenerator<string> {
  let speaking: string | null = null;
  let length = 0;
  for await (const batch of batches) {
    let piece = '';
    for (const { speaker, start, text } of batch) {
      const [name, said] = [oneLine(speaker), oneLine(text)];
      if (name !== speaking || length >= LONG) {
        piece += `${speaking === null ? '' : '\n\n'}${opening(name, start)}`;
        length = 0;
      } else piece += ' ';
      piece += escape(said);
      length += said.length;
      speaking = name;
    }
    yield piece;
  }
  yield '\n';
}
