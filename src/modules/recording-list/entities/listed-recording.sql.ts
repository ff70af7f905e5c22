import type { ContentStatus, RecordingStatus } from '../../../policy/recording-status.js';

/** What a list shows of a recording, and decides access by. */
export interface ListedRow {
  readonly id: string;
  readonly title: string;
  readonly status: RecordingStatus;
  readonly progress: number;
  readonly owner_id: string | null;
  readonly organization_id: string | null;
  readonly created_at: Date;
  readonly package_key: string | null;
  readonly transcript_status: ContentStatus | null;
}

/**
 * The `ListedRow` of an id as `listed`. Looked up one by one whatever the planner makes of a limit that it does not know:
 * otherwise it may read the whole of a table that is not large.
 */
export const joinListed = (id: string): string => `LEFT JOIN LATERAL (
    SELECT r.id, r.title, r.status, r.progress, r.owner_id, r.organization_id, r.created_at, r.package_key,
      t.status AS transcript_status
    FROM recordings r LEFT JOIN transcripts t ON t.recording_id = r.id WHERE r.id = ${id} OFFSET 0) listed ON true`;
