import type { EntityManager } from 'typeorm';
import { isUuid } from '../../../platform/ids.js';
import type { JobOwner } from '../../../platform/jobs/fair-share.js';
import type { Recording } from '../../recordings/access/entities/recording.entity.js';

type RecordingFacts = Readonly<
  Pick<
    Recording,
    | 'status'
    | 'mediaKey'
    | 'mediaType'
    | 'sourceKey'
    | 'packageKey'
    | 'statusReason'
    | 'startedAt'
    | 'endedAt'
  >
>;

/** What a packaging attempt starts from. */
export interface PackagingFacts extends RecordingFacts {
  readonly owner: JobOwner;
  /** Whether the parts are new media for a recording that exists already. */
  readonly replaces: boolean;
  /** Keys of the parts of the completed upload in order; empty when there is none. */
  readonly parts: readonly string[];
}

/**
 * Makes `attempt` the current one. An earlier attempt that is still running, because its worker only seemed dead,
 * notices and gives up. Returns null when the recording has been deleted, or is complete and has no new media.
 */
export async function beginPackaging(
  manager: EntityManager,
  recordingId: string,
  attempt: string,
): Promise<PackagingFacts | null> {
  const [[begun]] = await manager.sql<[(RecordingFacts & JobOwner)[], number]>`
    UPDATE recordings r SET packaging_id = ${attempt}
    WHERE id = ${recordingId} AND (status IN ('PROCESSING', 'MIGRATING') OR package_key IS NULL OR EXISTS (
      SELECT FROM uploads u
      WHERE u.recording_id = r.id AND u.added AND u.closed_at IS NOT NULL AND u.status_reason IS NULL))
    RETURNING status, media_key AS "mediaKey", media_type AS "mediaType", source_key AS "sourceKey",
              package_key AS "packageKey", status_reason AS "statusReason", started_at AS "startedAt",
              ended_at AS "endedAt", owner_id AS "userId", organization_id AS "organizationId"`;
  if (!begun) return null;
  const [upload] = await manager.sql<{ added: boolean; parts: string[] }[]>`
    SELECT u.added, ARRAY(SELECT key FROM upload_parts p WHERE p.recording_id = u.recording_id ORDER BY start) AS parts
    FROM uploads u WHERE u.recording_id = ${recordingId} AND u.closed_at IS NOT NULL`;
  const { userId, organizationId, ...facts } = begun;
  const { added: replaces, parts } = upload ?? { added: false, parts: [] };
  // Nothing of what is to be replaced is packaged again.
  const replaced = replaces && { mediaKey: null, mediaType: null, sourceKey: null, packageKey: null };
  return { ...facts, ...replaced, owner: { userId, organizationId }, replaces, parts };
}

/** Whether `attempt` is current: the recording exists, and no other attempt has begun. */
export async function isCurrentPackaging(
  manager: EntityManager,
  recordingId: string,
  attempt: string,
): Promise<boolean> {
  const found = await manager.sql<unknown[]>`
    SELECT id FROM recordings WHERE id = ${recordingId} AND packaging_id = ${attempt}`;
  return found.length > 0;
}

/**
 * Stores the progress of `attempt` where the recording shows it. Returns false if it shows none, or the attempt is not
 * current.
 */
export async function storeProgress(
  manager: EntityManager,
  recordingId: string,
  attempt: string,
  progress: number,
): Promise<boolean> {
  // Once it migrates, only while its source is all that is playable.
  const [, stored] = await manager.sql<[unknown, number]>`
    UPDATE recordings SET progress = ${progress}
    WHERE id = ${recordingId} AND packaging_id = ${attempt}
      AND (status = 'PROCESSING' OR status = 'MIGRATING' AND package_key IS NULL)`;
  return stored > 0;
}

/** Stores the progress of new media, which its recording does not show. */
export async function storeProgressOfNewMedia(
  manager: EntityManager,
  recordingId: string,
  progress: number,
): Promise<void> {
  await manager.sql`UPDATE uploads SET progress = ${progress} WHERE recording_id = ${recordingId} AND added`;
}

/** Returns the subset of these packaging and transcription attempts that is current. */
export async function findCurrentAttempts(
  manager: EntityManager,
  attempts: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = attempts.filter(isUuid);
  const rows = await manager.sql<{ id: string }[]>`
    SELECT packaging_id AS id FROM recordings WHERE packaging_id = ANY (${ids}::uuid[])
    UNION ALL SELECT attempt_id FROM transcripts WHERE attempt_id = ANY (${ids}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}

/** Whether new media for an existing recording is being packaged. */
export async function isReplacing(manager: EntityManager, recordingId: string): Promise<boolean> {
  const found = await manager.sql<unknown[]>`
    SELECT recording_id FROM uploads
    WHERE recording_id = ${recordingId} AND added AND closed_at IS NOT NULL AND status_reason IS NULL`;
  return found.length > 0;
}

/** Returns the user who sent new media for an existing recording; null if there is none any more. */
export async function findSender(manager: EntityManager, recordingId: string): Promise<string | null> {
  const [upload] = await manager.sql<{ userId: string | null }[]>`
    SELECT user_id AS "userId" FROM uploads WHERE recording_id = ${recordingId} AND added`;
  return upload?.userId ?? null;
}

/** Notes that a recording has changed, and that from now on only its new media counts towards the quota. */
export async function noteReplacement(manager: EntityManager, recordingId: string, now: Date): Promise<void> {
  await manager.sql`UPDATE recordings SET updated_at = ${now} WHERE id = ${recordingId}`;
  await manager.sql`UPDATE uploads SET kept_bytes = 0 WHERE recording_id = ${recordingId} AND added`;
}

/** Returns what there is of a recording: any bytes to package, and a package. */
export async function findStored(
  manager: EntityManager,
  recordingId: string,
): Promise<{ readonly media: boolean; readonly package: boolean }> {
  const [row] = await manager.sql<{ media: boolean; package: boolean }[]>`
    SELECT media_key IS NOT NULL OR source_key IS NOT NULL
           OR EXISTS (SELECT FROM upload_parts p JOIN uploads u USING (recording_id)
                      WHERE p.recording_id = r.id AND NOT u.added) AS media,
           package_key IS NOT NULL AS package
    FROM recordings r WHERE id = ${recordingId}`;
  return row ?? { media: false, package: false };
}

/** Whether it is an upload whose source has been published, but no package. */
export async function isSourceOnly(manager: EntityManager, recordingId: string): Promise<boolean> {
  const found = await manager.sql<unknown[]>`
    SELECT id FROM recordings r WHERE id = ${recordingId} AND media_key IS NOT NULL AND package_key IS NULL
      AND EXISTS (SELECT FROM upload_parts p WHERE p.recording_id = r.id)`;
  return found.length > 0;
}

/** Ends the upload at the bytes received so far. */
export async function closeUpload(manager: EntityManager, recordingId: string): Promise<void> {
  await manager.sql`
    UPDATE uploads SET size = received, closed_at = COALESCE(closed_at, now())
    WHERE recording_id = ${recordingId} AND NOT added`;
}

/** Deletes the rows of an upload that has become a recording, or its new media, and returns the keys of its parts. */
export async function takeParts(
  manager: EntityManager,
  recordingId: string,
  added: boolean,
): Promise<string[]> {
  const [[taken]] = await manager.sql<[{ keys: string[] }[], number]>`
    DELETE FROM uploads u WHERE recording_id = ${recordingId} AND added = ${added}
    RETURNING ARRAY(SELECT key FROM upload_parts p WHERE p.recording_id = u.recording_id) AS keys`;
  return taken?.keys ?? [];
}
