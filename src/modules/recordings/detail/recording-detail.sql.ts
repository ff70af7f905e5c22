import type { ContentStatus } from '../../../policy/recording-status.js';
import type { ExtraColumns } from '../access/recording-access.service.js';
import type { SummaryTopic } from '../../summaries/entities/summary.entity.js';

/** The upload of media that is to be added to the recording, or to replace what it has. */
interface NewMediaRow {
  readonly closed: boolean;
  /** Bytes. */
  readonly received: number;
  readonly size: number | null;
  readonly progress: number;
  readonly status_reason: string | null;
}

/** The texts of a recording other than its transcript, which may be long, and the state of its new media. */
export interface RecordingDetailColumns {
  readonly notes: string;
  /** Null when there is no summary. */
  readonly summary_status: ContentStatus | null;
  readonly summary_status_reason: string | null;
  readonly summary_content: string | null;
  readonly summary_topics: SummaryTopic[] | null;
  readonly new_media: NewMediaRow | null;
}

export const RECORDING_DETAIL: ExtraColumns<RecordingDetailColumns> = {
  name: 'detail',
  columns: `, r.notes, s.status AS summary_status, s.status_reason AS summary_status_reason,
         s.content AS summary_content, s.topics AS summary_topics,
         (SELECT json_build_object('closed', u.closed_at IS NOT NULL, 'received', u.received, 'size', u.size,
                                   'progress', u.progress, 'status_reason', u.status_reason)
          FROM uploads u WHERE u.recording_id = r.id AND u.added) AS new_media`,
  join: 'LEFT JOIN summaries s ON s.recording_id = r.id',
};
