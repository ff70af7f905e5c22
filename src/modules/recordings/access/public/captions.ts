import type { OpenRecording } from '../recording-access.service.js';

/** What captions are written from. */
export type CaptionedRow = Pick<
  OpenRecording['row'],
  | 'id'
  | 'title'
  | 'transcriptStatus'
  | 'transcriptLanguage'
  | 'transcriptRevision'
  | 'transcriptSegmentsCount'
>;

/** Returns null without a completed transcript that has segments, and for those who may not read it. */
export function captionsOf(
  row: CaptionedRow,
  { capabilities }: OpenRecording['access'],
): CaptionedRow | null {
  const isShown = capabilities.canViewTranscription && row.transcriptStatus === 'completed';
  return isShown && row.transcriptSegmentsCount ? row : null;
}
