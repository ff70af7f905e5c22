import type { EntityManager } from 'typeorm';
import { dueDateOf } from '../../../lib/language/due-date.js';
import { joined, type Sql, sql } from '../../../platform/database/sql.js';
import type { CursorPosition } from '../../../platform/http/replies/cursor.js';
import type { OpenSlice } from '../../recordings/list/public/open-slices.sql.js';
import { ActionItem } from '../entities/action-item.entity.js';
import type { GivenActionItem } from '../public/summary-content.dto.js';
import { mergeActionItems } from './merge-action-items.js';

/**
 * Gives a recording the action items of a new summary, as `mergeActionItems` decides, in the transaction of `manager`,
 * which must hold the lock on the recording.
 */
export async function mergeActionItemsOf(
  manager: EntityManager,
  recordingId: string,
  given: readonly GivenActionItem[],
  options: { readonly replaces: boolean },
): Promise<void> {
  const items = manager.getRepository(ActionItem);
  const existing = await items.find({ where: { recordingId }, order: { position: 'ASC' } });
  const dateOf = await findDueDates(manager, recordingId);
  const dated = given.map((item) => ({
    ...item,
    dueDate: item.dueDate === undefined ? dateOf(item.due) : item.dueDate,
  }));
  const merged = mergeActionItems(existing, dated, options);
  await items.delete({ recordingId });
  await items.insert(merged.map((item, position) => ({ ...item, recordingId, position })));
}

/** What words for a date mean in a meeting: on its day, in the language of its transcript. */
export async function findDueDates(
  manager: EntityManager,
  recordingId: string,
): Promise<(due: string | null) => string | null> {
  const [meeting] = await sql(manager)<{ day: Date; language: string | null }>`
    SELECT COALESCE(r.started_at, r.created_at) AS day, t.language
    FROM recordings r LEFT JOIN transcripts t ON t.recording_id = r.id WHERE r.id = ${recordingId}`;
  return (due) => (meeting ? dueDateOf(due, meeting.language, meeting.day) : null);
}

export type ListedActionItem = Omit<ActionItem, 'position' | 'changedAt' | 'summary'> & {
  readonly recordingTitle: string;
  readonly recordingCreatedAt: Date;
};

export interface ActionItemFilters {
  readonly done?: boolean;
  /** In any case. */
  readonly owner?: string;
}

export interface ActionItemsQuery extends ActionItemFilters {
  /** Where the caller can read summaries. */
  readonly slices: readonly OpenSlice[];
  readonly after?: CursorPosition;
  readonly limit: number;
}

const COLUMNS = `a.id, a.recording_id AS "recordingId", a.text, a.owner, a.due, a.due_date::text AS "dueDate", a.start,
  a.segment_ids AS "segmentIds", a.confidence, a.done, r.title AS "recordingTitle", r.created_at AS "recordingCreatedAt"`;

/** Action items of completed summaries that the caller can read, of the newest recordings first. */
export const findActionItems = (
  manager: EntityManager,
  query: ActionItemsQuery,
): Promise<ListedActionItem[]> => sql(manager)`${actionItemsStatement(query)}`;

/** Of each slice, only the first ones are read, in the order of its index. */
export function actionItemsStatement({ slices, done, owner, after, limit }: ActionItemsQuery): Sql {
  const wanted = [
    sql`s.status = 'completed'`,
    done !== undefined && sql`a.done = ${done}::boolean`,
    owner !== undefined && sql`lower(a.owner) = lower(${owner}::text)`,
    // The first comparison is redundant, but lets PostgreSQL use the index.
    after &&
      sql`r.created_at <= ${after.createdAt}::timestamptz
        AND (r.created_at < ${after.createdAt}::timestamptz OR a.id > ${after.id}::uuid)`,
  ];
  const firsts = slices.map(
    ({ each, condition }) => sql`
    SELECT first.* FROM ${each} CROSS JOIN LATERAL (
      SELECT ${() => COLUMNS}
      FROM recordings r JOIN summaries s ON s.recording_id = r.id JOIN action_items a ON a.recording_id = r.id
      WHERE ${joined([condition, ...wanted], ' AND ')} ORDER BY r.created_at DESC, a.id LIMIT ${limit}::int) first`,
  );
  return sql`SELECT * FROM (${joined(firsts, ' UNION ALL ')}) merged
    ORDER BY "recordingCreatedAt" DESC, id LIMIT ${limit}::int`;
}
