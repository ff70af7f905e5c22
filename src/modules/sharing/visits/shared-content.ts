import type { SpeakerStatistics } from '../../../lib/transcript-formats/speaker-statistics.js';
import type { Track } from '../../media/entities/track.entity.js';
import type { RecordingMedia, TrackUrls } from '../../media/public/media-urls.js';
import { column, extraColumns, type RowOf } from '../../recordings/access/public/columns.js';
import { completedSummary, SUMMARY_COLUMNS } from '../../summaries/public/summaries.sql.js';
import type { ReadSummary } from '../../summaries/public/summary.response.dto.js';
import type { TranscriptPageContent } from '../../transcripts/public/transcript-page.dto.js';
import type { OpenShare } from '../access/public/open-share.js';

/** What recipients see of a recording besides its media and transcript. */
const COLUMNS = {
  ...SUMMARY_COLUMNS,
  speakerStatistics: column<SpeakerStatistics[] | null>('t.speaker_statistics'),
  /** Sanitized HTML of the content; empty or null if it has to be shown as text. */
  summaryHtml: column<string | null>('s.html'),
  /** Whether the upload has any bytes: one of unknown length has no progress. */
  uploadStarted: column<boolean>(`EXISTS (SELECT FROM uploads u
                 WHERE u.recording_id = r.id AND u.status_reason IS NULL AND u.received > 0)`),
};

/** Read by the statement of the access decision. */
export const SHARED_COLUMNS = extraColumns(
  'shared-content',
  COLUMNS,
  'LEFT JOIN summaries s ON s.recording_id = r.id',
);

/** Everything that recipients can see of a recording. */
export interface SharedContent extends RecordingMedia {
  readonly share: OpenShare<RowOf<typeof COLUMNS>>;
  /** Null unless the link permits them. */
  readonly tracks: readonly (Track & TrackUrls)[] | null;
  /** Null if withheld. */
  readonly transcript: TranscriptPageContent | null;
}

/** The completed summary; null if there is none, and if it is withheld. */
export function sharedSummary({ row, access }: SharedContent['share']['recording']): ReadSummary | null {
  return access.capabilities.canViewSummary ? completedSummary(row) : null;
}
