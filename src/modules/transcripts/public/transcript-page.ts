import type { OpenRecording } from '../../recordings/access/recording-access.service.js';
import { chunksOfSegments } from '../stored-transcript.js';
import type { TranscriptSegment } from '../../../lib/transcript-formats/transcript.js';
import type { TranscriptPage } from './transcript-page.response.dto.js';

interface TranscriptPageHead extends Readonly<Omit<TranscriptPage, 'segments' | 'pagination'>> {
  readonly totalChunks: number;
  readonly hasMore: boolean;
}

export interface TranscriptPageContent extends TranscriptPageHead {
  readonly segments: TranscriptSegment[];
}

/** A page that is passed through without parsing, so that a long one is as fast as PostgreSQL returns it. */
export interface TranscriptPageText extends TranscriptPageHead {
  /** JSON lists of segments as stored, with exactly the fields of `TranscriptSegment`, and `LIST_SEAM` between them. */
  readonly segmentsJson: string;
}

/** Describes a page of the transcript, or of the draft of a running transcription if there is one. */
export function describePage(
  { row, access }: OpenRecording,
  draft: OpenRecording['row']['transcript_draft'],
  startChunk: number,
  count: number,
): TranscriptPageHead {
  const { transcription: status } = access;
  const segments =
    status === 'completed' ? (row.transcript_segments_count ?? 0) : (draft?.segmentsCount ?? 0);
  const totalChunks = chunksOfSegments(segments);
  return {
    status,
    statusReason: row.transcript_status_reason,
    revision: row.transcript_revision ?? 0,
    language: row.transcript_language,
    confidenceKnown: row.transcript_confidence_known ?? false,
    speakers: draft?.speakers ?? row.transcript_speakers ?? [],
    duration: draft?.duration ?? row.transcript_duration ?? 0,
    totalChunks,
    hasMore: startChunk + count < totalChunks,
  };
}
