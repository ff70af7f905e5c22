import { z } from '../../../lib/zod.js';
import type { Reply } from '../../../platform/openapi/reply.dto.js';
import type { RecordingFields } from '../../recordings/access/public/recording-fields.response.dto.js';
import type {
  Pagination,
  RecordingListItem,
  RecordingListPagination,
} from '../../recordings/list/public/listed-recording.response.dto.js';
import type { RecordingDetail } from '../../recordings/public/recording-detail.response.dto.js';

export type DetailReply = Reply<RecordingDetail>;

export interface ListReply extends Reply<RecordingListItem[]> {
  readonly pagination: RecordingListPagination;
}

interface Match {
  readonly source: string;
  readonly start: number | null;
  readonly speaker: string | null;
  readonly snippet: string;
}

export interface SearchReply extends Reply<(RecordingListItem & { readonly matches: readonly Match[] })[]> {
  readonly pagination: Pagination;
  readonly did_you_mean: string | null;
}

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

export const listed = (item: RecordingFields): z.output<typeof LISTED> => ({
  recording_id: item.id,
  title: item.title,
  status: item.status,
  created_at: item.createdAt,
  duration_seconds: item.duration,
  owner: item.owner?.name ?? null,
  organization_id: item.organizationId,
  folder_id: item.folderId,
});
