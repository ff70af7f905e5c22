import { escapeText } from 'entities';
import { isLanguageCode } from '../../../../platform/text.js';
import { labelOf } from './captions-labels.js';
import { cueTime } from './captions-times.js';
import type { TranscriptSegment } from '../../entities/transcript-chunk.entity.js';
import { tidySpeaker, tidyText } from '../transcript-files-text.js';
import type { TranscriptWriter } from '../transcript-writing.js';

/** WebVTT, speakers in voice tags. */
export const writeVtt: TranscriptWriter = {
  opening: ({ language }) => (isLanguageCode(language) ? `WEBVTT\nLanguage: ${language}\n` : 'WEBVTT\n'),
  batch: (segments) => segments.map(cueOf).join(''),
  closing: () => '',
};

function cueOf({ start, end, speaker, text }: TranscriptSegment): string {
  return `\n${cueTime(start, '.')} --> ${cueTime(end, '.')}\n${spoken(tidySpeaker(speaker), tidyText(text))}\n`;
}

function spoken(speaker: string, text: string): string {
  const said = escapeText(text);
  if (speaker !== '') return `<v ${escapeText(speaker)}>${said}</v>`;
  // Where nobody is named, a colon is no label: readers of labels would take it for one.
  return labelOf(said) ? said.replace(/:(?=\s)/g, '&#58;') : said;
}
