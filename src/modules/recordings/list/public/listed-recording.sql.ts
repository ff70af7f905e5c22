import type { ContentStatus, RecordingStatus } from '../../../../policy/recording-status.js';

/** The columns that a list shows, and those that access is decided by. */
export interface ListedRow {
  readonly id: string;
  readonly title: string;
  readonly status: RecordingStatus;
  readonly progress: number;
  readonly owner_id: string | null;
  readonly organization_id: string | null;
  readonly created_at: Date;
  readonly package_key: string | null;
  readonly has_media: boolean;
  readonly without_media: boolean;
  readonly transcript_status: ContentStatus | null;
}

/**
 * Joins the `ListedRow` of an id as `listed`. `OFFSET 0` forces a lookup per row: with a limit unknown to the planner, it
 * might otherwise read the whole of a smaller table.
 */
export const joinListed = (id: string): string => `LEFT JOIN LATERAL (
    SELECT r.id, r.title, r.status, r.progress, r.owner_id, r.organization_id, r.created_at, r.package_key,
      r.media_key IS NOT NULL AS has_media, r.without_media, t.status AS transcript_status
    FROM recordings r LEFT JOIN transcripts t ON t.recording_id = r.id WHERE r.id = ${id} OFFSET 0) listed ON true`;
