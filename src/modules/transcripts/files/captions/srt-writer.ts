import { withJoiners } from './captions-joiners.js';
import { cueTime } from './captions-times.js';
import type { TranscriptSegment } from '../../entities/transcript-chunk.entity.js';
import { normalizeSpeaker, normalizeText } from '../transcript-files-text.js';
import type { TranscriptWriter } from '../transcript-writing.js';

/** SRT, with speakers as labels before the text. */
export const writeSrt: TranscriptWriter = {
  opening: () => '',
  batch: (segments, { count }) =>
    segments.map((segment, index) => `${count + index + 1}\n${cueOf(segment)}\n\n`).join(''),
  closing: () => '',
};

function cueOf({ start, end, speaker, text }: TranscriptSegment): string {
  const [name, said] = [normalizeSpeaker(speaker), withJoiners(normalizeText(text))];
  const times = `${cueTime(start, ',')} --> ${cueTime(end, ',')}`;
  return `${times}\n${name === '' ? said : `${withJoiners(name)}: ${said}`}`;
}
