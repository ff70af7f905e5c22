import { LIMITS } from '../../../../contract/limits.js';
import { z } from '../../../../lib/zod.js';
import { DATE_RULE, isDate } from '../../../../platform/clock/timestamps.js';
import { ACTION_ITEM, actionItem, actionItemLine } from '../tool-data.js';
import { cursorOf, integer, PLACE, RECORDING_ID, text } from '../arguments.js';
import { DATE_RANGE, withDates } from '../date-range.js';
import type { Page, Reply } from '../meetings-api.js';
import { inQuotes, morePages, NEXT_CURSOR, tool } from '../tool.js';
import { findShareUrls } from '../share-urls.js';

const OF_MEETING = ACTION_ITEM.extend({
  recording_id: z.string(),
  recording_title: z.string(),
  recording_created_at: z.string(),
});

export const LIST_ACTION_ITEMS = tool({
  name: 'list_action_items',
  title: 'List action items',
  description:
    'Lists the action items of the summaries of all meetings, of the newest meetings first: who does what by when, and what is still open. For those of one meeting, call get_summary.',
  scopes: ['recordings:read'],
  input: z.strictObject({
    done: z.boolean().optional().describe('false: only open ones; true: only those that are done'),
    owner: text(LIMITS.actionItemDetail, 'Only those of this owner; the whole name, in any case').optional(),
    ...DATE_RANGE,
    ...PLACE,
    limit: integer(LIMITS.page),
    cursor: cursorOf(LIMITS.cursor),
  }),
  output: z.object({
    action_items: z.array(OF_MEETING),
    next_cursor: NEXT_CURSOR,
  }),
  call: async (api, given) => {
    const { data, pagination } = await api.get<Page<'ListedActionItem'>>('/action-items', withDates(given));
    const ids = data.map(({ recording }) => recording.id);
    const shareUrls = await findShareUrls(api, ids);
    const items = data.map(({ recording, ...item }) => ({
      ...actionItem(item, shareUrls.get(recording.id)),
      recording_id: recording.id,
      recording_title: recording.title,
      recording_created_at: recording.createdAt,
    }));
    return { action_items: items, next_cursor: pagination.next_cursor };
  },
  text: ({ action_items: items }) =>
    [
      `${items.length} action items:`,
      ...items.map(
        (item) =>
          `${actionItemLine(item)} in ${inQuotes(item.recording_title)}, ${item.recording_created_at.slice(0, 10)}, recording_id ${item.recording_id}`,
      ),
    ].join('\n'),
  hint: morePages,
});

export const UPDATE_ACTION_ITEM = tool({
  name: 'update_action_item',
  title: 'Change an action item',
  description:
    'Marks an action item of a meeting as done or open, or replaces its text, its owner or when it is due. It then stays as it is, whatever summary is generated later.',
  scopes: ['summaries:write'],
  effect: 'changes',
  repeatable: true,
  input: z
    .strictObject({
      recording_id: RECORDING_ID,
      action_item_id: z.uuid().describe('action_item_id, from list_action_items or get_summary'),
      done: z.boolean().optional(),
      text: text(LIMITS.finding, 'What is to be done').optional(),
      owner: text(LIMITS.actionItemDetail, 'Who is to do it; null: nobody in particular').nullish(),
      due: text(LIMITS.actionItemDetail, 'When it is due, in any words; null: not known').nullish(),
      due_date: z
        .string()
        .refine(isDate, { error: DATE_RULE })
        .describe('The day, such as 2026-03-05; null: not known. Without it, what due means')
        .nullish(),
    })
    .refine(
      ({ done, text: what, owner, due, due_date: day }) =>
        [done, what, owner, due, day].some((value) => value !== undefined),
      { error: 'must have done, text, owner, due or due_date' },
    ),
  output: ACTION_ITEM.omit({ url: true }),
  call: async (api, { recording_id: id, action_item_id: item, due_date: dueDate, ...others }) => {
    const changes = { ...others, dueDate };
    const path = `/recordings/${id}/action-items/${item}`;
    const { data } = await api.patch<Reply<'ActionItem'>>(path, changes);
    return actionItem(data, null);
  },
  text: (item) => actionItemLine({ ...item, url: null }),
});
