import type { EntityManager } from 'typeorm';
import type { RecordingStatus } from '../../policy/recording-status.js';

/** A recording in the database, as far as a workspace file says something about one. */
export interface FoundRecording {
  readonly id: string;
  readonly title: string;
  readonly status: RecordingStatus;
  readonly progress: number;
  readonly notes: string;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly autoTranscribe: boolean;
  readonly language: string | null;
  readonly hasMedia: boolean;
  readonly hasShareLinks: boolean;
  readonly ownerId: string | null;
  readonly ownerEmail: string | null;
  readonly organizationId: string | null;
  readonly organizationName: string | null;
  /** Null also for a folder that has been deleted. */
  readonly folderId: string | null;
  readonly folderName: string | null;
}

const RECORDINGS = `
  SELECT r.id, r.title, r.status, r.progress, r.notes, r.created_at AS "createdAt", r.started_at AS "startedAt",
    r.ended_at AS "endedAt", r.auto_transcribe AS "autoTranscribe", r.language, r.media_key IS NOT NULL AS "hasMedia",
    EXISTS (SELECT FROM share_links l WHERE l.recording_id = r.id) AS "hasShareLinks",
    r.owner_id AS "ownerId", u.email AS "ownerEmail", r.organization_id AS "organizationId", o.name AS "organizationName",
    f.id AS "folderId", f.name AS "folderName"
  FROM recordings r LEFT JOIN users u ON u.id = r.owner_id LEFT JOIN organizations o ON o.id = r.organization_id
    LEFT JOIN folders f ON f.id = r.folder_id AND f.deleted_at IS NULL
  WHERE r.id = ANY ($1)`;

const EXISTING = 'SELECT id FROM recordings WHERE id = ANY ($1)';

const LOCK = 'SELECT FROM recordings WHERE id = ANY ($1) ORDER BY id FOR UPDATE';

/** By id; in one statement. */
export async function readRecordings(
  manager: EntityManager,
  ids: readonly string[],
): Promise<Map<string, FoundRecording>> {
  const rows: FoundRecording[] = await manager.query(RECORDINGS, [ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

export async function existingRecordings(
  manager: EntityManager,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows: { id: string }[] = await manager.query(EXISTING, [ids]);
  return new Set(rows.map(({ id }) => id));
}

/** Nobody else changes them, or writes their texts, until the transaction ends. */
export async function lockRecordings(manager: EntityManager, ids: readonly string[]): Promise<void> {
  await manager.query(LOCK, [ids]);
}
