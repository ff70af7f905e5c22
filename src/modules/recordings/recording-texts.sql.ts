import type { ContentStatus } from '../../policy/recording-status.js';
import type { ExtraColumns } from '../recording-access/recording-access.service.js';
import type { SummaryTopic } from '../summaries/entities/summary.entity.js';

/** The texts of a recording other than its transcript; they may be long. */
export interface RecordingTexts {
  readonly notes: string;
  /** Null when there is no summary. */
  readonly summary_status: ContentStatus | null;
  readonly summary_status_reason: string | null;
  readonly summary_content: string | null;
  readonly summary_topics: SummaryTopic[] | null;
}

export const RECORDING_TEXTS: ExtraColumns<RecordingTexts> = {
  name: 'texts',
  columns: `, r.notes, s.status AS summary_status, s.status_reason AS summary_status_reason,
         s.content AS summary_content, s.topics AS summary_topics`,
  join: 'LEFT JOIN summaries s ON s.recording_id = r.id',
};
