import type { ContentStatus } from '../../../policy/recording-status.js';
import type { RecordingMedia } from '../../media/public/media-urls.js';
import type { ExtraColumns } from '../../recordings/access/public/columns.js';
import type { TranscriptPageContent } from '../../transcripts/public/transcript-page.js';
import type { OpenShare } from '../access/public/open-share.js';
import type { SummaryTopic } from '../../../lib/extractive-summary/summary.js';

/** What recipients see of a recording besides its media and transcript. */
interface SharedColumns {
  /** Null when there is no summary. */
  readonly summary_status: ContentStatus | null;
  readonly summary_content: string | null;
  /** Sanitized HTML of the content; empty or null if it has to be shown as text. */
  readonly summary_html: string | null;
  readonly summary_topics: SummaryTopic[] | null;
  /** Whether the upload has any bytes: one of unknown length has no progress. */
  readonly upload_started: boolean;
}

/** Read by the statement of the access decision. */
export const SHARED_COLUMNS: ExtraColumns<SharedColumns> = {
  name: 'shared-content',
  columns: `, s.status AS summary_status, s.content AS summary_content, s.html AS summary_html, s.topics AS summary_topics,
         EXISTS (SELECT FROM uploads u
                 WHERE u.recording_id = r.id AND u.status_reason IS NULL AND u.received > 0) AS upload_started`,
  join: 'LEFT JOIN summaries s ON s.recording_id = r.id',
};

/** Everything that recipients can see of a recording. */
export interface SharedContent extends RecordingMedia {
  readonly share: OpenShare<SharedColumns>;
  /** Null if withheld. */
  readonly transcript: TranscriptPageContent | null;
}

/** The completed summary; null if there is none, and if it is withheld. */
export function completedSummary({ row, access }: SharedContent['share']['recording']): {
  readonly content: string | null;
  readonly topics: SummaryTopic[];
} | null {
  if (!access.capabilities.canViewSummary || row.summary_status !== 'completed') return null;
  return { content: row.summary_content, topics: row.summary_topics ?? [] };
}
