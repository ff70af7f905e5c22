import { withJoiners } from './captions-joiners.js';
import { cueTime } from './captions-times.js';
import type { TranscriptSegment } from './entities/transcript-chunk.entity.js';
import { tidySpeaker, tidyText } from './transcript-files-text.js';
import type { TranscriptHead } from './transcript-files.js';

/** SRT, speakers as labels before the text. */
export async function* writeSrt(
  _head: TranscriptHead,
  batches: AsyncIterable<readonly TranscriptSegment[]>,
): AsyncGenerator<string> {
  let number = 0;
  for await (const batch of batches) {
    yield batch
      .map((segment) => {
        number += 1;
        return `${number}\n${cueOf(segment)}\n\n`;
      })
      .join('');
  }
}

function cueOf({ start, end, speaker, text }: TranscriptSegment): string {
  const [name, said] = [tidySpeaker(speaker), withJoiners(tidyText(text))];
  const times = `${cueTime(start, ',')} --> ${cueTime(end, ',')}`;
  return `${times}\n${name === '' ? said : `${withJoiners(name)}: ${said}`}`;
}
