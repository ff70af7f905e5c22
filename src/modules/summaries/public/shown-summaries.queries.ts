import type { EntityManager } from 'typeorm';
import { LIMITS } from '../../../contract/limits.js';
import { actionItemsOf } from './summary-columns.sql.js';
import {
  presentActionItem,
  presentDecisions,
  type ActionItem,
  type Decision,
  type ReadSummary,
} from './summary.response.dto.js';

export interface ShownSummary {
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
  const found = await manager.sql<
    (Pick<ReadSummary, 'decisions'> & { id: string; items: ActionItem[] | null })[]
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
  const found = await manager.sql<ActionItem[]>`
    SELECT a.id, a.text, a.owner, a.due, a.due_date::text AS "dueDate", a.start, a.segment_ids AS "segmentIds",
      a.confidence, a.done
    FROM action_items a JOIN summaries s ON s.recording_id = a.recording_id
    WHERE a.id = ANY (${ids}::uuid[]) AND s.status = 'completed'`;
  return new Map(found.map((item) => [item.id, presentActionItem(item)]));
}
