import { escapeText } from 'entities';
import { isLanguageCode } from '../../../../platform/text.js';
import { labelOf } from './captions-labels.js';
import { cueTime } from './captions-times.js';
import type { TranscriptSegment } from '../../entities/transcript-chunk.entity.js';
import { normalizeSpeaker, normalizeText } from '../transcript-files-text.js';
import type { TranscriptWriter } from '../transcript-writing.js';

/** WebVTT, with speakers in voice tags. */
export const writeVtt: TranscriptWriter = {
  opening: ({ language }) => (isLanguageCode(language) ? `WEBVTT\nLanguage: ${language}\n` : 'WEBVTT\n'),
  batch: (segments) => segments.map(cueOf).join(''),
  closing: () => '',
};

function cueOf({ start, end, speaker, text }: TranscriptSegment): string {
  return `\n${cueTime(start, '.')} --> ${cueTime(end, '.')}\n${spoken(normalizeSpeaker(speaker), normalizeText(text))}\n`;
}

function spoken(speaker: string, text: string): string {
  const said = escapeText(text);
  if (speaker !== '') return `<v ${escapeText(speaker)}>${said}</v>`;
  // Without a speaker, keeps a colon from being read as a label, and `>>` as the mark of another speaker.
  const unmarked = said.replace(/&gt;(?=&gt;)/g, '&#62;');
  return labelOf(unmarked) ? unmarked.replace(/:(?=\s)/g, '&#58;') : unmarked;
}
