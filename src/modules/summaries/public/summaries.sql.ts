import type { SummaryDecision, SummaryTopic } from '../../../lib/extractive-summary/summary.js';
import type { ContentStatus } from '../../../policy/recording-status.js';
import { column, type RowOf } from '../../recordings/access/public/columns.js';
import {
  type ActionItem,
  type ReadSummary,
  presentActionItem,
  presentDecisions,
  type Decision,
} from './summary.response.dto.js';
import type { EntityManager } from 'typeorm';
import { LIMITS } from '../../../contract/limits.js';
import { sql } from '../../../platform/database/sql.js';

/** The action items of a recording as JSON; null if it has none. SQL for its id, and a condition on a row `a`. */
export const actionItemsOf = (recording: string, condition = 'true'): string => `(
    SELECT json_agg(json_build_object('id', a.id, 'text', a.text, 'owner', a.owner, 'due', a.due,
                                      'dueDate', a.due_date, 'start', a.start, 'segmentIds', a.segment_ids,
                                      'confidence', a.confidence, 'done', a.done) ORDER BY a.position)
    FROM action_items a WHERE a.recording_id = ${recording} AND ${condition})`;

/** Of a row `s` of `summaries`; null when there is none. */
export const SUMMARY_COLUMNS = {
  summaryStatus: column<ContentStatus | null>('s.status'),
  summaryContent: column<string | null>('s.content'),
  summaryTopics: column<SummaryTopic[] | null>('s.topics'),
  summaryDecisions: column<SummaryDecision[] | null>('s.decisions'),
  summaryActionItems: column<ActionItem[] | null>(actionItemsOf('s.recording_id')),
};

/** The summary in these columns; null unless it is completed. */
export function completedSummary(row: RowOf<typeof SUMMARY_COLUMNS>): ReadSummary | null {
  if (row.summaryStatus !== 'completed') return null;
  return {
    content: row.summaryContent,
    topics: row.summaryTopics ?? [],
    decisions: row.summaryDecisions ?? [],
    actionItems: row.summaryActionItems ?? [],
  };
}

interface ShownSummary {
  readonly decisions: readonly Decision[];
  readonly actionItems: readonly ActionItem[];
}

/** The first decisions and action items of completed summaries, by recording. */
export async function findShownSummaries(
  manager: EntityManager,
  recordingIds: readonly string[],
): Promise<ReadonlyMap<string, ShownSummary>> {
  if (recordingIds.length === 0) return new Map();
  const first = LIMITS.findingsOfEvent;
  const found = await sql(manager)<
    Pick<ReadSummary, 'decisions'> & { id: string; items: ActionItem[] | null }
  >`
    SELECT s.recording_id AS id, ${() => actionItemsOf('s.recording_id', `a.position < ${first}`)} AS items,
      COALESCE((SELECT json_agg(decision) FROM (
        SELECT decision FROM json_array_elements(s.decisions) AS decision LIMIT ${first}) listed), '[]') AS decisions
    FROM summaries s WHERE s.recording_id = ANY (${recordingIds}::uuid[]) AND s.status = 'completed'`;
  return new Map(
    found.map(({ id, decisions, items }) => [
      id,
      { decisions: presentDecisions(decisions), actionItems: (items ?? []).map(presentActionItem) },
    ]),
  );
}

/** Action items of completed summaries, by their ids. */
export async function findShownActionItems(
  manager: EntityManager,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ActionItem>> {
  if (ids.length === 0) return new Map();
  const found = await sql(manager)<ActionItem>`
    SELECT a.id, a.text, a.owner, a.due, a.due_date::text AS "dueDate", a.start, a.segment_ids AS "segmentIds",
      a.confidence, a.done
    FROM action_items a JOIN summaries s ON s.recording_id = a.recording_id
    WHERE a.id = ANY (${ids}::uuid[]) AND s.status = 'completed'`;
  return new Map(found.map((item) => [item.id, presentActionItem(item)]));
}
