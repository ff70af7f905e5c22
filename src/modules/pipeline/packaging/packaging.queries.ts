import { IsNull, Not, type EntityManager } from 'typeorm';
import { isUuid } from '../../../platform/ids.js';
import type { JobOwner } from '../../../platform/jobs/fair-share.js';
import type { RecordingStatus } from '../../../policy/recording-status.js';
import { Recording } from '../../recordings/access/entities/recording.entity.js';
import { UploadPart } from '../../uploads/entities/upload-part.entity.js';
import { Upload } from '../../uploads/entities/upload.entity.js';

/** What a packaging attempt starts from. */
export interface PackagingFacts {
  readonly id: string;
  readonly status: RecordingStatus;
  readonly mediaKey: string | null;
  readonly mediaType: string | null;
  readonly sourceKey: string | null;
  readonly packageKey: string | null;
  readonly statusReason: string | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly owner: JobOwner;
  /** Whether the parts are new media for a recording that exists already. */
  readonly replaces: boolean;
  /** Parts of the completed upload in order; empty when there is none. */
  readonly parts: readonly { readonly key: string; readonly size: number }[];
}

/**
 * Makes `attempt` the current one. An earlier attempt that is still running, because its worker only seemed dead, notices and
 * gives up. Returns null when the recording has been deleted, or is complete and has no new media.
 */
export async function beginPackaging(
  manager: EntityManager,
  recordingId: string,
  attempt: string,
): Promise<PackagingFacts | null> {
  const [, begun] = await manager.sql<[unknown, number]>`
    UPDATE recordings r SET packaging_id = ${attempt}
    WHERE id = ${recordingId} AND (status IN ('PROCESSING', 'MIGRATING') OR package_key IS NULL OR EXISTS (
      SELECT FROM uploads u
      WHERE u.recording_id = r.id AND u.added AND u.closed_at IS NOT NULL AND u.status_reason IS NULL))`;
  if (begun === 0) return null;
  const row = await manager.findOneBy(Recording, { id: recordingId });
  if (!row) return null;
  const upload = await manager.findOneBy(Upload, { recordingId, closedAt: Not(IsNull()) });
  const parts = upload
    ? await manager.find(UploadPart, { where: { recordingId }, order: { start: 'ASC' } })
    : [];
  const replaces = upload?.added ?? false;
  const { id, status, mediaKey, mediaType, sourceKey, packageKey } = row;
  const { statusReason, startedAt, endedAt } = row;
  // Nothing of what is to be replaced is packaged again.
  const media = replaces
    ? { mediaKey: null, mediaType: null, sourceKey: null, packageKey: null }
    : { mediaKey, mediaType, sourceKey, packageKey };
  const owner = { userId: row.ownerId, organizationId: row.organizationId };
  return { id, status, ...media, statusReason, startedAt, endedAt, owner, replaces, parts };
}

/** Whether `attempt` is current: the recording exists, and no other attempt has begun. */
export async function isCurrentPackaging(
  manager: EntityManager,
  recordingId: string,
  attempt: string,
): Promise<boolean> {
  return manager.existsBy(Recording, { id: recordingId, packagingId: attempt });
}

/** Stores the attempt's progress unless it is null, and returns whether `attempt` is current. */
export async function noteProgress(
  manager: EntityManager,
  recordingId: string,
  attempt: string,
  progress: number | null,
): Promise<boolean> {
  if (progress === null) return isCurrentPackaging(manager, recordingId, attempt);
  const { affected } = await manager.update(
    Recording,
    [
      { id: recordingId, packagingId: attempt, status: 'PROCESSING' },
      // Only the source is playable yet.
      { id: recordingId, packagingId: attempt, status: 'MIGRATING', packageKey: IsNull() },
    ],
    { progress },
  );
  if (affected !== 0) return true;
  const isCurrent = await isCurrentPackaging(manager, recordingId, attempt);
  if (isCurrent) await manager.update(Upload, { recordingId, added: true }, { progress });
  return isCurrent;
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
  return manager.existsBy(Upload, {
    recordingId,
    added: true,
    closedAt: Not(IsNull()),
    statusReason: IsNull(),
  });
}

/** Returns the user who sent new media for an existing recording; null if there is none any more. */
export async function findSender(manager: EntityManager, recordingId: string): Promise<string | null> {
  const upload = await manager.findOneBy(Upload, { recordingId, added: true });
  return upload?.userId ?? null;
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
  const media = { id: recordingId, mediaKey: Not(IsNull()), packageKey: IsNull() };
  return (await manager.existsBy(Recording, media)) && manager.existsBy(UploadPart, { recordingId });
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
  added = false,
): Promise<string[]> {
  if (!(await manager.existsBy(Upload, { recordingId, added }))) return [];
  const parts = await manager.findBy(UploadPart, { recordingId });
  await manager.delete(Upload, { recordingId });
  return parts.map(({ key }) => key);
}
