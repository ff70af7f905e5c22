import { z } from '../../../lib/zod.js';

/** What tools read of the API's recordings; other fields are dropped. */
const ITEM = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  createdAt: z.string(),
  duration: z.number().nullable(),
  owner: z.object({ name: z.string().nullable() }).nullable(),
  organizationId: z.string().nullable(),
  folderId: z.string().nullable(),
});

export const LIST_REPLY = z.object({
  data: z.array(ITEM),
  pagination: z.object({ total: z.number(), next_cursor: z.string().nullable() }),
});

export const SEARCH_REPLY = z.object({
  data: z.array(
    ITEM.extend({
      matches: z.array(
        z.object({
          source: z.string(),
          start: z.number().nullable(),
          speaker: z.string().nullable(),
          snippet: z.string(),
        }),
      ),
    }),
  ),
  pagination: z.object({ total: z.number(), has_more: z.boolean() }),
  did_you_mean: z.string().nullable(),
});

const TOPIC = z.object({
  title: z.string(),
  start: z.number().nullable(),
  keyPoints: z.array(
    z.object({ point: z.string(), start: z.number().nullable(), details: z.array(z.string()) }),
  ),
});

const DECISION = z.object({ text: z.string(), start: z.number().nullable() });

/** What tools read of an action item of the API. */
export const ACTION_ITEM_REPLY = DECISION.extend({
  id: z.string(),
  owner: z.string().nullable(),
  due: z.string().nullable(),
  dueDate: z.string().nullable(),
  done: z.boolean(),
});

const SUMMARY = z.object({
  status: z.string(),
  statusReason: z.string().nullable(),
  content: z.string().nullable(),
  topics: z.array(TOPIC),
  decisions: z.array(DECISION),
  actionItems: z.array(ACTION_ITEM_REPLY),
});

export const DETAIL_REPLY = z.object({
  data: ITEM.extend({
    statusReason: z.string().nullable(),
    startedAt: z.string().nullable(),
    endedAt: z.string().nullable(),
    notes: z.string().nullable(),
    isLocked: z.boolean(),
    transcription: z.object({
      status: z.string(),
      progress: z.number(),
      statusReason: z.string().nullable(),
      language: z.string().nullable(),
      speakers: z.array(z.string()),
    }),
    summary: SUMMARY,
    capabilities: z.record(z.string(), z.boolean()),
  }),
});

/** A recording in a list, as tools return it. */
export const LISTED = z.object({
  recording_id: z.string(),
  title: z.string(),
  status: z.string().describe('It can be played in MIGRATING and COMPLETED'),
  created_at: z.string(),
  duration_seconds: z.number().nullable(),
  owner: z.string().nullable().describe('Name of the user who recorded it'),
  organization_id: z.string().nullable().describe('Null: personal'),
  folder_id: z.string().nullable(),
});

export const listed = (item: z.output<typeof ITEM>): z.output<typeof LISTED> => ({
  recording_id: item.id,
  title: item.title,
  status: item.status,
  created_at: item.createdAt,
  duration_seconds: item.duration,
  owner: item.owner?.name ?? null,
  organization_id: item.organizationId,
  folder_id: item.folderId,
});
