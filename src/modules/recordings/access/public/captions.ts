import type { OpenRecording } from '../recording-access.service.js';

/** What captions are written from. */
export type CaptionedRow = Pick<
  OpenRecording['row'],
  | 'id'
  | 'title'
  | 'transcript_status'
  | 'transcript_language'
  | 'transcript_revision'
  | 'transcript_segments_count'
>;

/** Returns null without a completed transcript that has segments, and for those who may not read it. */
export function captionsOf(
  row: CaptionedRow,
  { capabilities }: OpenRecording['access'],
): CaptionedRow | null {
  const isShown = capabilities.canViewTranscription && row.transcript_status === 'completed';
  return isShown && row.transcript_segments_count ? row : null;
}
