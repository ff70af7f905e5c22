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

/**
 * WebVTT for players of HLS, which need to know where its times are on the timeline of the media (RFC 8216, 3.5): they are the same.
 * For others, this is a header that they do not know.
 */
export const writeCaptions: TranscriptWriter = {
  ...writeVtt,
  opening: (head) => writeVtt.opening(head).replace('\n', '\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n'),
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
