import { isLanguageCode } from '../../platform/text.js';
import { withEntities } from './captions-entities.js';
import { labelOf } from './captions-labels.js';
import { cueTime } from './captions-times.js';
import type { TranscriptSegment } from './entities/transcript-chunk.entity.js';
import { tidySpeaker, tidyText } from './transcript-files-text.js';
import type { TranscriptHead } from './transcript-files.js';

/** WebVTT, speakers in voice tags. */
export async function* writeVtt(
  { language }: TranscriptHead,
  batches: AsyncIterable<readonly TranscriptSegment[]>,
): AsyncGenerator<string> {
  yield isLanguageCode(language) ? `WEBVTT\nLanguage: ${language}\n` : 'WEBVTT\n';
  for await (const batch of batches) yield batch.map(cueOf).join('');
}

function cueOf({ start, end, speaker, text }: TranscriptSegment): string {
  return `\n${cueTime(start, '.')} --> ${cueTime(end, '.')}\n${spoken(tidySpeaker(speaker), tidyText(text))}\n`;
}

function spoken(speaker: string, text: string): string {
  const said = withEntities(text);
  if (speaker !== '') return `<v ${withEntities(speaker)}>${said}</v>`;
  // Where nobody is named, a colon is no label: readers of labels would take it for one.
  return labelOf(said) ? said.replace(/:(?=\s)/g, '&#58;') : said;
}
