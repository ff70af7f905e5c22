import type { Schemas } from 'meeting-recording-client';
import { z } from '../../../lib/zod.js';

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

export const listed = (item: Schemas['RecordingListItem']): z.output<typeof LISTED> => ({
  recording_id: item.id,
  title: item.title,
  status: item.status,
  created_at: item.createdAt,
  duration_seconds: item.duration,
  owner: item.owner?.name ?? null,
  organization_id: item.organizationId,
  folder_id: item.folderId,
});
