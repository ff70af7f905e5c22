import { SEGMENTS_PER_CHUNK } from '../../../contract/limits.js';
import type { TranscriptSegment } from '../entities/transcript-chunk.entity.js';
import type { TranscriptWriter } from './transcript-writing.js';

/** JSON like a page of the transcript, but with all segments. */
export const writeJson: TranscriptWriter = {
  opening: ({ language, confidenceKnown, speakers, duration, revision }) => {
    const status = { status: 'completed', statusReason: null };
    const head = { ...status, revision, language, confidenceKnown, speakers, duration };
    return `{"data":${JSON.stringify(head).slice(0, -1)},"segments":[`;
  },
  batch: (segments, { count }) => {
    const piece = segments.map((segment) => `\n${JSON.stringify(membersOf(segment))}`).join(',');
    return piece !== '' && count > 0 ? `,${piece}` : piece;
  },
  closing: (_, { count }) => {
    const pagination = { total_chunks: Math.ceil(count / SEGMENTS_PER_CHUNK), has_more: false };
    return `\n],"pagination":${JSON.stringify(pagination)}}}\n`;
  },
};

function membersOf({ id, start, end, text, speaker, confidence }: TranscriptSegment) {
  return { id, start, end, text, speaker, confidence };
}
