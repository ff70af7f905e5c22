import { clock } from './captions-times.js';
import type { TranscriptSegment } from './entities/transcript-chunk.entity.js';
import { paragraphsOf } from './transcript-files-paragraphs.js';
import type { TranscriptHead } from './transcript-files.js';

/** Plain text: `[00:12:34] Ada: Good morning`. */
export async function* writeText(
  _head: TranscriptHead,
  batches: AsyncIterable<readonly TranscriptSegment[]>,
): AsyncGenerator<string> {
  yield* paragraphsOf(batches, {
    opening: (speaker, start) => `[${clock(start)}] ${speaker === '' ? '' : `${speaker}: `}`,
    escape: (text) => text,
  });
}
