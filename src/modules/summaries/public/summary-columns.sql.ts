import type { SummaryDecision, SummaryTopic } from '../../../lib/extractive-summary/summary.js';
import type { ContentStatus } from '../../../policy/recording-status.js';
import { column, type RowOf } from '../../recordings/access/public/columns.js';
import type { ActionItem, ReadSummary } from './summary.response.dto.js';

/** The action items of a recording as JSON; null if it has none. SQL for its id, and a condition on a row `a`. */
export const actionItemsOf = (recording: string, condition = 'true'): string => `(
    SELECT json_agg(json_build_object('id', a.id, 'text', a.text, 'owner', a.owner, 'due', a.due,
                                      'dueDate', a.due_date, 'start', a.start, 'segmentIds', a.segment_ids,
                                      'confidence', a.confidence, 'done', a.done) ORDER BY a.position)
    FROM action_items a WHERE a.recording_id = ${recording} AND ${condition})`;

/** Of a row `s` of `summaries`; null when there is none. */
export const SUMMARY_COLUMNS = {
  summary_status: column<ContentStatus | null>('s.status'),
  summary_content: column<string | null>('s.content'),
  summary_topics: column<SummaryTopic[] | null>('s.topics'),
  summary_decisions: column<SummaryDecision[] | null>('s.decisions'),
  summary_action_items: column<ActionItem[] | null>(actionItemsOf('s.recording_id')),
};

/** The summary in these columns; null unless it is completed. */
export function completedSummary(row: RowOf<typeof SUMMARY_COLUMNS>): ReadSummary | null {
  if (row.summary_status !== 'completed') return null;
  return {
    content: row.summary_content,
    topics: row.summary_topics ?? [],
    decisions: row.summary_decisions ?? [],
    actionItems: row.summary_action_items ?? [],
  };
}
