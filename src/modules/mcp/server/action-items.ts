import type { Schemas } from 'meeting-recording-client';
import { singleLine } from '../../../lib/text.js';
import { z } from '../../../lib/zod.js';
import { clockTime } from '../../../lib/clock-time.js';
import { MOMENT_URL, momentUrl } from './share-urls.js';

export const CONFIDENCE = z
  .number()
  .nullable()
  .describe('Probability, 0 to 1, that people who were there would note it; null: not estimated');

/** An action item, as tools return it. */
export const ACTION_ITEM = z.object({
  action_item_id: z.string(),
  text: z.string(),
  owner: z.string().nullable().describe('Null: nobody was named'),
  due: z.string().nullable().describe('As it was said; null: it was not'),
  due_date: z.string().nullable().describe('The day that due means; null: not clear'),
  confidence: CONFIDENCE,
  done: z.boolean(),
  start_seconds: z.number().nullable(),
  url: MOMENT_URL,
});

export const actionItem = (
  { id, dueDate, start, ...item }: Schemas['ActionItem'],
  shareUrl: string | null | undefined,
): z.output<typeof ACTION_ITEM> => ({
  ...item,
  action_item_id: id,
  due_date: dueDate,
  start_seconds: start,
  url: start === null ? null : momentUrl(shareUrl, start),
});

/** `[0:10] `, or nothing where the moment is not known. */
export const stamp = (seconds: number | null): string => (seconds === null ? '' : `[${clockTime(seconds)}] `);

export function actionItemLine(item: z.output<typeof ACTION_ITEM>): string {
  const owner = item.owner === null ? '' : `${singleLine(item.owner)}: `;
  const when = [item.due, item.due_date].filter((part) => part !== null).map(singleLine);
  const due = when.length === 0 ? '' : ` (due: ${when.join(', ')})`;
  const url = item.url === null ? '' : ` ${item.url}`;
  return `- ${item.done ? '[x]' : '[ ]'} ${stamp(item.start_seconds)}${owner}${singleLine(item.text)}${due}${url} action_item_id ${item.action_item_id}`;
}
